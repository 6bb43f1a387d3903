#pragma once
// The components that the tests give their entities.

#include <memory>
#include <string>

namespace evertick::test {

struct Position {
    float x = 0;
    float y = 0;
    bool operator==(const Position&) const = default;
};

struct Velocity {
    float x = 0;
    float y = 0;
    bool operator==(const Velocity&) const = default;
};

// Owns memory, so that a sanitizer sees every slip.
struct Name {
    std::string text = "a name longer than the small buffer of a string";
    bool operator==(const Name&) const = default;
};

// Cannot be copied.
struct Treasure {
    std::unique_ptr<int> gold;
};

// A component without data.
struct Frozen {};

struct alignas(64) Wide {
    double values[3] = {};
};

}  // namespace evertick::test
