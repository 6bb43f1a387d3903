// BinnedAllocator against an oracle: nothing handed out twice, nothing written over, everything counted.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/random.hpp"
#include "tests/core/private_bins.hpp"

namespace evertick::core {
namespace {

struct Piece {
    unsigned char* memory;
    std::size_t size, alignment;
    unsigned char filling;
};

std::size_t drawn_size(Random& random) {
    switch (random.below(8)) {
        case 0: return random.below(200'000);
        case 1: return random.below(kLargestCellBytes + 2);
        default: return random.below(600);
    }
}

bool is_intact(const Piece& piece) {
    return std::all_of(piece.memory, piece.memory + piece.size,
                       [&](unsigned char c) { return c == piece.filling; });
}

class BinnedWalk : public testing::TestWithParam<std::uint64_t> {};

TEST_P(BinnedWalk, KeepsEveryPieceApartAndCounted) {
    test::PrivateBins bins;
    Random random(GetParam());
    std::vector<Piece> pieces;
    for (int step = 0; step < 6000; ++step) {
        const std::uint64_t choice = random.below(100);
        if (pieces.empty() || choice < 52) {
            const std::size_t size = drawn_size(random);
            const std::size_t alignment =
                random.below(10) == 0 ? std::size_t{1} << random.below(13) : kCellAlignment;
            const auto filling = static_cast<unsigned char>(step);
            auto* const memory = static_cast<unsigned char*>(bins->allocate(size, alignment));
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U) << "in step " << step;
            std::memset(memory, filling, size);
            pieces.push_back({memory, size, alignment, filling});
        } else {
            std::swap(pieces[random.below(pieces.size())], pieces.back());
            Piece& piece = pieces.back();
            ASSERT_TRUE(is_intact(piece)) << "in step " << step;
            const std::size_t size = drawn_size(random);
            if (choice < 60 && bins->resize_in_place(piece.memory, piece.size, size, piece.alignment)) {
                piece.size = size;
                std::memset(piece.memory, piece.filling, size);
                continue;
            }
            if (choice % 2 == 0)
                bins->free(piece.memory);
            else
                bins->free(piece.memory, piece.size, piece.alignment);
            pieces.pop_back();
        }
        if (step % 1000 == 0) bins->trim(step % 2000 == 0);
        if (step % 200 == 0) bins->check_invariants();
    }
    std::size_t live = 0;
    for (const Piece& piece : pieces) live += BinnedAllocator::usable_bytes(piece.size, piece.alignment);
    EXPECT_EQ(bins->stats().live_bytes(), live);
    for (const Piece& piece : pieces) bins->free(piece.memory);
    EXPECT_EQ(bins->stats().live_bytes(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, BinnedWalk, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace evertick::core
