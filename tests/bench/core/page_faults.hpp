#pragma once

#include <sys/resource.h>

namespace evertick::bench {

// Returns how often this process touched a page that was not there.
inline long page_faults() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

}  // namespace evertick::bench
