// Random walks of ChunkedArray against std::vector.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/chunked_array.hpp"
#include "core/random.hpp"

namespace evertick::core {
namespace {

// An array and what it should be. Strings are long enough to own memory, so that asan sees every slip.
class Walk {
  public:
    explicit Walk(std::uint64_t seed) : random_(seed) {}

    void step() {
        switch (random_.below(12)) {
            case 0:
            case 1:
            case 2: return push();
            case 3: return add();
            case 4:
            case 5: return remove();
            case 6: return pop();
            case 7: return array_.shrink_to_fit();
            case 8: return array_.reserve(random_.below(64));
            case 9: return duplicate();
            case 10: return replace();
            default: return clear();
        }
    }

    void check() const {
        array_.check_invariants();
        ASSERT_EQ(array_.size(), expected_.size());
        ASSERT_EQ(array_.empty(), expected_.empty());
        std::vector<std::string> walked;
        for (const std::span<const std::string> chunk : array_.chunks())
            walked.insert(walked.end(), chunk.begin(), chunk.end());
        ASSERT_EQ(walked, expected_);
        ASSERT_TRUE(std::equal(array_.begin(), array_.end(), expected_.begin(), expected_.end()));
    }

  private:
    std::string text() {
        return "a text longer than the small buffer " + std::to_string(random_.below(1000));
    }

    void push() {
        expected_.push_back(text());
        array_.push_back(expected_.back());
    }
    void add() {
        const std::size_t count = random_.below(9);
        ASSERT_EQ(array_.add(count), expected_.size());
        expected_.resize(expected_.size() + count);
    }
    void remove() {
        if (expected_.empty()) return;
        const std::size_t index = random_.below(expected_.size());
        array_.remove_at_swap(index);
        std::swap(expected_[index], expected_.back());
        expected_.pop_back();
    }
    void pop() {
        if (expected_.empty()) return;
        array_.pop_back();
        expected_.pop_back();
    }
    void duplicate() {
        if (expected_.empty()) return;
        const std::size_t index = random_.below(expected_.size());
        array_.push_back(array_[index]);
        expected_.push_back(std::string(expected_[index]));
    }
    void replace() {  // by a copy of itself, by way of a move
        Array copy = array_;
        array_ = std::move(copy);
    }
    void clear() {
        if (random_.below(8) != 0) return;  // seldom, or it would never grow
        if (random_.below(2) == 0)
            array_.clear();
        else
            array_.clear(random_.below(32));
        expected_.clear();
    }

    using Array = ChunkedArray<std::string, 4 * sizeof(std::string)>;
    Random random_;
    Array array_;
    std::vector<std::string> expected_;
};

TEST(ChunkedArrayWalk, EqualsAVectorAfterEveryStep) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Walk walk(seed);
        for (int step = 0; step < 1000; ++step) {
            walk.step();
            walk.check();
            if (::testing::Test::HasFatalFailure()) FAIL() << "at step " << step;
        }
    }
}

}  // namespace
}  // namespace evertick::core
