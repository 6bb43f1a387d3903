#pragma once
// NumberSet: a set of numbers below a fixed limit that knows its lowest and its highest member at once. It is
// how allocators keep "the free pages" and take the lowest first.
//
//     level 1   [ 1 0 1 ... ]                 bit n: word n of the level below is not zero
//     level 0   [word 0][word 1][word 2] ...  one bit for each number
//
// Cost:    insert, erase, contains, lowest, highest: O(levels), four for sixteen million numbers. Memory: a
// bit
//          for each number up to the highest ever inserted.
// Threads: as the standard containers.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/reserved_array.hpp"
#include "core/verify.hpp"

namespace evertick::core {

class NumberSet {
  public:
    using Word = std::uint64_t;
    static constexpr std::size_t kWordBits = 64;
    static constexpr std::size_t kNone = ~std::size_t{0};  // no number: of an empty set

    // For numbers below `limit`. requires: limit <= 2^24 (verified)
    explicit NumberSet(std::size_t limit);

    void insert(std::size_t number) {
        for (std::size_t level = 0; level < levels_; ++level) {
            Word& word = words_[start_[level] + number / kWordBits];
            const bool was_empty = word == 0;
            word |= Word{1} << number % kWordBits;
            if (!was_empty) return;
            number /= kWordBits;
        }
    }
    void erase(std::size_t number) {
        for (std::size_t level = 0; level < levels_; ++level) {
            Word& word = words_[start_[level] + number / kWordBits];
            word &= ~(Word{1} << number % kWordBits);
            if (word != 0) return;
            number /= kWordBits;
        }
    }
    bool contains(std::size_t number) const {
        return (words_[number / kWordBits] >> number % kWordBits & 1U) != 0;
    }
    bool empty() const { return words_[start_[levels_ - 1]] == 0; }
    std::size_t lowest() const {
        if (empty()) return kNone;
        std::size_t number = 0;
        for (std::size_t level = levels_; level-- > 0;)
            number = number * kWordBits +
                     static_cast<std::size_t>(std::countr_zero(words_[start_[level] + number]));
        return number;
    }
    std::size_t highest() const {
        if (empty()) return kNone;
        std::size_t number = 0;
        for (std::size_t level = levels_; level-- > 0;)
            number = number * kWordBits + kWordBits - 1 -
                     static_cast<std::size_t>(std::countl_zero(words_[start_[level] + number]));
        return number;
    }

    // The lowest member that is not below `from`, or kNone. cost: O(levels)
    std::size_t next(std::size_t from) const;

    // The members among 64 * index .. 64 * index + 63, as bits: for searches over many numbers.
    Word word(std::size_t index) const { return words_[index]; }

    // Aborts unless each level is the summary of the one below. cost: O(limit / 64)
    void check_invariants() const;

  private:
    static constexpr std::size_t kMaxLevels = 4;

    std::size_t levels_ = 0;
    std::array<std::size_t, kMaxLevels> start_{};  // of each level's words in words_; the last has one word
    ReservedArray<Word> words_;
};

}  // namespace evertick::core
