#pragma once
// The spatial index beside looking at everyone, on a plane with one entity in ten square metres.

#include <cstddef>

namespace evertick::bench {

// Prints what making the index anew takes, which is its upkeep in a tick with questions, and the time of
// questions with about 100, 10 and 9 answers; each beside the same question without the index.
void run_spatial(std::size_t entities, int rounds);

}  // namespace evertick::bench
