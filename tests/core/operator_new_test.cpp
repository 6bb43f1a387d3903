// A program whose every new is a cell of the bins.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <set>

#include "core/binned_allocator.hpp"

namespace evertick::core {
namespace {

BinnedAllocator& bins() { return BinnedAllocator::process(); }

struct alignas(256) Wide {
    char bytes[256];
};

TEST(OperatorNew, IsACellOfTheBinsOfEveryKind) {
    const auto number = std::make_unique<int>(7);
    EXPECT_EQ(bins().usable_bytes(number.get()), 16U);
    const std::unique_ptr<char[]> text(new char[130]);
    EXPECT_EQ(bins().usable_bytes(text.get()), 144U);
    const std::unique_ptr<Wide[]> wides(new Wide[3]);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wides.get()) % 256, 0U);
    EXPECT_EQ(bins().usable_bytes(wides.get()), BinnedAllocator::usable_bytes(768, 256));
    const std::unique_ptr<Wide> quiet(new (std::nothrow) Wide);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(quiet.get()) % 256, 0U);
}

TEST(OperatorNew, GivesZeroSizeRequestsDistinctPointers) {
    std::set<void*> addresses;
    for (int i = 0; i < 100; ++i) addresses.insert(::operator new(0));
    EXPECT_EQ(addresses.size(), 100U);
    for (void* const memory : addresses) ::operator delete(memory);
}

TEST(OperatorNew, MoreThanThereIsIsBadAllocOrNull) {
    volatile std::size_t size = std::numeric_limits<std::size_t>::max() - 8;  // unknown to the compiler
    const std::align_val_t wide{64};
    EXPECT_THROW((void)::operator new(size), std::bad_alloc);
    EXPECT_THROW((void)::operator new[](size, wide), std::bad_alloc);
    EXPECT_EQ(::operator new(size, std::nothrow), nullptr);
    EXPECT_EQ(::operator new[](size, wide, std::nothrow), nullptr);
}

TEST(OperatorDelete, GivesBackWhatEveryKindOfNewTook) {
    const auto live = [] { return bins().stats().live_bytes(); };
    const std::align_val_t wide{64};
    const std::size_t before = live();
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{100}, std::size_t{5000}, std::size_t{100'000}}) {
        ::operator delete(::operator new(size));
        ::operator delete(::operator new(size), size);
        ::operator delete[](::operator new[](size), size);
        ::operator delete(::operator new(size, wide), wide);
        ::operator delete(::operator new(size, wide), size, wide);
        ::operator delete[](::operator new[](size, wide), size, wide);
        ::operator delete(::operator new(size, std::nothrow), std::nothrow);
        ::operator delete(::operator new(size, wide, std::nothrow), wide, std::nothrow);
    }
    EXPECT_EQ(live(), before);
    ::operator delete(nullptr);
}

}  // namespace
}  // namespace evertick::core
