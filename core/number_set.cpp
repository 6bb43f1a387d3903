#include "core/number_set.hpp"

namespace evertick::core {

NumberSet::NumberSet(std::size_t limit) {
    std::size_t total = 0;
    for (std::size_t bits = limit; levels_ == 0 || bits > 1;) {
        verify(levels_ < kMaxLevels, "NumberSet: the limit is over 2^24");
        const std::size_t words = (bits + kWordBits - 1) / kWordBits;
        start_[levels_++] = total;
        total += words > 0 ? words : 1;
        bits = words;
    }
    words_ = ReservedArray<Word>(total);
}

// Climbs until a word has something at or after the place, then descends to the lowest under it.
std::size_t NumberSet::next(std::size_t from) const {
    std::size_t number = from;
    for (std::size_t level = 0; level < levels_; ++level) {
        const std::size_t end = level + 1 < levels_ ? start_[level + 1] : words_.size();
        const std::size_t index = start_[level] + number / kWordBits;
        const Word left = index < end ? words_[index] & (~Word{0} << number % kWordBits) : 0;
        if (left == 0) {
            number = number / kWordBits + 1;
            continue;
        }
        number = number / kWordBits * kWordBits + static_cast<std::size_t>(std::countr_zero(left));
        while (level-- > 0)
            number = number * kWordBits +
                     static_cast<std::size_t>(std::countr_zero(words_[start_[level] + number]));
        return number;
    }
    return kNone;
}

void NumberSet::check_invariants() const {
    for (std::size_t level = 0; level + 1 < levels_; ++level) {
        const std::size_t words = start_[level + 1] - start_[level];
        for (std::size_t i = 0; i < words; ++i) {
            const Word summary = words_[start_[level + 1] + i / kWordBits];
            verify((summary >> i % kWordBits & 1U) == (words_[start_[level] + i] != 0 ? 1U : 0U),
                   "NumberSet: a summary bit says whether its word has members");
        }
    }
}

}  // namespace evertick::core
