// The typed helpers on a MemStack: new_array, new_zeroed, new_ones, new_object.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "core/mem_stack.hpp"
#include "tests/core/tracked.hpp"

namespace evertick::core {
namespace {

using test::Tracked;
using ::testing::Each;

template <class T>
concept CanNewArray = requires(MemStack& stack) { new_array<T>(stack, 1); };
template <class T>
concept CanNewObject = requires(MemStack& stack) { new_object<T>(stack); };
template <class T>
concept CanNewZeroed = requires(MemStack& stack) { new_zeroed<T>(stack, 1); };

struct Point {
    float x = 1, y = 2;
};

// Leaves bytes other than 0 and 0xFF where the next allocations will be.
void soil(MemStack& stack) {
    const MemMark mark(stack);
    std::memset(stack.allocate(10'000), 0x5A, 10'000);
}

TEST(NewArray, GivesAWritableSpan) {
    MemStack stack;
    const MemMark mark(stack);
    const std::span<std::uint64_t> numbers = new_array<std::uint64_t>(stack, 1000);
    ASSERT_EQ(numbers.size(), 1000U);
    std::ranges::fill(numbers, 7U);
    EXPECT_THAT(numbers, Each(7U));
}

TEST(NewArray, MemberInitialisersDoTheirWork) {
    MemStack stack;
    const MemMark mark(stack);
    soil(stack);
    for (const Point& point : new_array<Point>(stack, 100)) {
        ASSERT_EQ(point.x, 1);
        ASSERT_EQ(point.y, 2);
    }
}

TEST(NewArray, IsAlignedForItsType) {
    struct alignas(128) Wide {
        char byte;
    };
    MemStack stack;
    const MemMark mark(stack);
    (void)stack.allocate(1, 1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(new_array<Wide>(stack, 3).data()) % 128, 0U);
}

TEST(NewArray, OfNothingIsEmpty) {
    MemStack stack;
    const MemMark mark(stack);
    EXPECT_TRUE(new_array<int>(stack, 0).empty());
    EXPECT_TRUE(new_zeroed<int>(stack, 0).empty());
}

TEST(NewArray, CountTimesSizeIsCheckedForOverflow) {
    MemStack stack;
    const MemMark mark(stack);
    EXPECT_THROW((void)new_array<std::uint64_t>(stack, SIZE_MAX / 8 + 1), std::bad_alloc);
    EXPECT_THROW((void)new_zeroed<std::uint64_t>(stack, SIZE_MAX / 4), std::bad_alloc);
    EXPECT_THROW((void)new_ones<std::uint64_t>(stack, SIZE_MAX), std::bad_alloc);
    EXPECT_THROW((void)new_array<char>(stack, SIZE_MAX), std::bad_alloc);
    EXPECT_EQ(stack.held_bytes(), 0U);
}

TEST(NewZeroed, IsZeroInUsedMemoryToo) {
    MemStack stack;
    const MemMark mark(stack);
    soil(stack);
    EXPECT_THAT(new_zeroed<int>(stack, 500), Each(0));
    EXPECT_EQ(new_zeroed<Point>(stack, 1)[0].x, 0) << "no constructor runs";
}

TEST(NewOnes, IsMinusOneInIntegersAndNanInFloats) {
    MemStack stack;
    const MemMark mark(stack);
    soil(stack);
    EXPECT_THAT(new_ones<int>(stack, 500), Each(-1));
    EXPECT_TRUE(std::isnan(new_ones<float>(stack, 1)[0]));
}

TEST(NewObject, PassesItsArguments) {
    MemStack stack;
    const MemMark mark(stack);
    const Point& point = new_object<Point>(stack, 3.0F, 4.0F);
    EXPECT_EQ(point.x, 3);
    EXPECT_EQ(point.y, 4);
}

TEST(TypedHelpers, TakeOnlyTypesThatNeedNoDestructor) {
    static_assert(CanNewArray<int> && CanNewObject<Point> && CanNewZeroed<Point>);
    static_assert(!CanNewArray<std::string> && !CanNewObject<std::string> && !CanNewZeroed<std::string>);
    static_assert(!CanNewArray<Tracked> && !CanNewObject<Tracked>);
}

TEST(TypedHelpers, TakeAnyTypeByAName) {
    MemStack stack;
    Tracked::reset();
    {
        const MemMark mark(stack);
        EXPECT_EQ(new_array_never_destroyed<Tracked>(stack, 5).size(), 5U);
        EXPECT_EQ(new_object_never_destroyed<Tracked>(stack, 9).value, 9);
    }
    EXPECT_EQ(Tracked::counts.constructed, 6);
    EXPECT_EQ(Tracked::counts.destroyed, 0);
}

TEST(TypedHelpers, AConstructorThatThrowsMidwayUndoesTheOthers) {
    MemStack stack;
    const MemMark mark(stack);
    Tracked::reset();
    Tracked::counts.throw_after = 3;
    EXPECT_THROW((void)new_array_never_destroyed<Tracked>(stack, 5), std::runtime_error);
    EXPECT_EQ(Tracked::counts.destroyed, 3);
}

}  // namespace
}  // namespace evertick::core
