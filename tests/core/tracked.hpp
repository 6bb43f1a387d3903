#pragma once
// A value that counts what happens to all values of its type, and throws on demand: for tests that a
// container constructs, moves and destroys exactly what it should.

#include <stdexcept>

namespace evertick::test {

struct TrackedCounts {
    int constructed = 0;  // by any constructor
    int copied = 0;
    int moved = 0;
    int destroyed = 0;
    int throw_after = -1;  // that many more constructions succeed; negative: all do

    int live() const { return constructed - destroyed; }
};

struct Tracked {
    static inline TrackedCounts counts;
    static void reset() { counts = {}; }

    int value = 0;

    Tracked() { count_construction(); }
    explicit Tracked(int initial) : value(initial) { count_construction(); }
    Tracked(const Tracked& other) : value(other.value) {
        count_construction();
        ++counts.copied;
    }
    Tracked(Tracked&& other) noexcept : value(other.value) {
        ++counts.constructed;
        ++counts.moved;
    }
    Tracked& operator=(const Tracked& other) {
        value = other.value;
        ++counts.copied;
        return *this;
    }
    Tracked& operator=(Tracked&& other) noexcept {
        value = other.value;
        ++counts.moved;
        return *this;
    }
    ~Tracked() { ++counts.destroyed; }

  private:
    static void count_construction() {
        if (counts.throw_after == 0) throw std::runtime_error("Tracked was told to throw");
        if (counts.throw_after > 0) --counts.throw_after;
        ++counts.constructed;
    }
};

}  // namespace evertick::test
