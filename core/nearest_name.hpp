#pragma once

#include <span>
#include <string>
#include <string_view>

namespace evertick::core {

// The name nearest to `wanted`, for "did you mean": by edits (a letter added, left out, replaced, or two
// swapped), upper and lower case alike. Empty when none is near enough to be worth suggesting: about one edit
// in three letters. Among equals the first.
// cost: O(names x length^2), nothing for a `wanted` longer than any sensible name
std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> names);

// " (did you mean 'x'?)" for the end of an error, the prefix before the suggested name; empty when none is
// near.
std::string did_you_mean(std::string_view wanted, std::span<const std::string_view> names,
                         std::string_view prefix = {});

}  // namespace evertick::core
