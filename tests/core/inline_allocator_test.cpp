// Arrays whose first elements live inside the object.

#include "core/inline_allocator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/array.hpp"
#include "core/mem_stack_allocator.hpp"
#include "tests/core/array_elements.hpp"
#include "tests/core/checked_allocator.hpp"

namespace evertick::core {
namespace {

using test::AllocationLedger;
using test::CheckedAllocator;
using test::SelfReferring;
using test::ThrowingMove;
using test::Tracked;
using ::testing::ElementsAre;

template <class T>
using Four = Array<T, InlineAllocator<4>>;

template <class Array>
bool is_inside(const Array& array) {
    const auto* const data = reinterpret_cast<const std::byte*>(array.data());
    const auto* const object = reinterpret_cast<const std::byte*>(&array);
    return !std::less<>()(data, object) && std::less<>()(data, object + sizeof(array));
}

template <class Array>
Array counting(int count) {
    Array array;
    for (int i = 0; i < count; ++i) array.emplace_back(i);
    return array;
}

TEST(InlineAllocator, TheFirstElementsNeedNoMemory) {
    AllocationLedger ledger;
    Array<int, InlineAllocator<4, CheckedAllocator>> array((InlineAllocator<4, CheckedAllocator>(ledger)));
    EXPECT_EQ(array.capacity(), 4U);
    for (int i = 0; i < 4; ++i) array.push_back(i);
    EXPECT_EQ(ledger.allocations, 0);
    EXPECT_EQ(array.allocated_bytes(), 0U);
    EXPECT_TRUE(is_inside(array));
    array.push_back(4);
    EXPECT_EQ(ledger.allocations, 1) << "the fifth goes to the fallback, with the others";
    EXPECT_FALSE(is_inside(array));
    EXPECT_THAT(array, ElementsAre(0, 1, 2, 3, 4));
}

TEST(InlineAllocator, CostsNoMoreThanTheRoomItself) {
    static_assert(sizeof(Array<int>) == 3 * sizeof(void*));
    static_assert(sizeof(Four<int>) == sizeof(Array<int>) + 4 * sizeof(int));
}

TEST(InlineAllocator, MovingMovesTheElementsThatAreInside) {
    Tracked::reset();
    {
        auto source = counting<Four<SelfReferring>>(3);
        Four<SelfReferring> target = std::move(source);
        EXPECT_TRUE(is_inside(target));
        EXPECT_THAT(target, ElementsAre(SelfReferring(0), SelfReferring(1), SelfReferring(2)));
        EXPECT_TRUE(source.empty());
        source.emplace_back(7);
        EXPECT_THAT(target, ElementsAre(SelfReferring(0), SelfReferring(1), SelfReferring(2)));
        target = std::move(source);
        EXPECT_THAT(target, ElementsAre(SelfReferring(7)));
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(InlineAllocator, MovingStealsTheBlockAndLeavesTheRoomInside) {
    Four<std::string> source;
    for (int i = 0; i < 5; ++i) source.push_back("text " + std::to_string(i));
    const std::string* const data = source.data();
    Four<std::string> target = std::move(source);
    EXPECT_EQ(target.data(), data);
    EXPECT_EQ(source.capacity(), 4U);
    EXPECT_TRUE(is_inside(source));
    source.check_invariants();
    source.push_back("again");
    EXPECT_THAT(source, ElementsAre("again"));
}

TEST(InlineAllocator, SwapsAnyTwo) {
    for (const int one : {0, 3, 4, 9}) {
        for (const int two : {0, 2, 4, 20}) {
            auto a = counting<Four<SelfReferring>>(one);
            auto b = counting<Four<SelfReferring>>(two);
            swap(a, b);
            EXPECT_EQ(a, counting<Four<SelfReferring>>(two)) << one << " with " << two;
            EXPECT_EQ(b, counting<Four<SelfReferring>>(one)) << one << " with " << two;
            a.check_invariants();
            b.check_invariants();
        }
    }
}

TEST(InlineAllocator, ShrinkReturnsToTheRoomInside) {
    auto array = counting<Four<SelfReferring>>(9);
    array.shrink_to_fit();
    EXPECT_FALSE(is_inside(array)) << "nine do not fit";
    array.resize(4);
    EXPECT_FALSE(is_inside(array)) << "not unasked";
    array.shrink_to_fit();
    EXPECT_TRUE(is_inside(array));
    EXPECT_EQ(array.allocated_bytes(), 0U);
    EXPECT_EQ(array, counting<Four<SelfReferring>>(4));
    array.shrink_to_fit();
    EXPECT_TRUE(is_inside(array));
}

TEST(InlineAllocator, ShrinkThatThrowsLeavesTheBlock) {
    Tracked::reset();
    {
        auto array = counting<Four<ThrowingMove>>(5);
        array.resize(3);
        Tracked::counts.throw_after = 1;
        EXPECT_THROW(array.shrink_to_fit(), std::runtime_error);
        Tracked::counts.throw_after = -1;
        EXPECT_FALSE(is_inside(array));
        EXPECT_THAT(array, ElementsAre(ThrowingMove(0), ThrowingMove(1), ThrowingMove(2)));
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(InlineAllocator, AMoveThatThrowsLeavesTheSource) {
    static_assert(std::is_nothrow_move_constructible_v<Four<std::string>>);
    static_assert(!std::is_nothrow_move_constructible_v<Four<ThrowingMove>>);
    Tracked::reset();
    {
        auto source = counting<Four<ThrowingMove>>(3);
        Tracked::counts.throw_after = 2;
        EXPECT_THROW(Four<ThrowingMove>{std::move(source)}, std::runtime_error);
        Tracked::counts.throw_after = -1;
        EXPECT_THAT(source, ElementsAre(ThrowingMove(0), ThrowingMove(1), ThrowingMove(2)));
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(InlineAllocator, KeepsAWideAlignmentInsideAndOutside) {
    const auto pad = std::make_unique<std::pair<char, Four<test::Wide>>>();
    for (int i = 0; i < 6; ++i) pad->second.emplace_back(i);
    for (const test::Wide& element : pad->second) EXPECT_TRUE(element.is_aligned());
    pad->second.resize(2);
    pad->second.shrink_to_fit();
    for (const test::Wide& element : pad->second) EXPECT_TRUE(element.is_aligned());
}

TEST(InlineAllocator, TakesMoveOnlyElementsOutAndIn) {
    Array<std::unique_ptr<int>, InlineAllocator<3>> array;
    std::vector<std::unique_ptr<int>> expected;
    const auto check = [&](const char* when) {
        array.check_invariants();
        ASSERT_EQ(array.size(), expected.size()) << when;
        for (std::size_t i = 0; i < array.size(); ++i) {
            ASSERT_EQ(array[i] == nullptr, expected[i] == nullptr) << when << ", element " << i;
            ASSERT_TRUE(array[i] == nullptr || *array[i] == *expected[i]) << when << ", element " << i;
        }
    };
    for (int i = 0; i < 3; ++i) {
        array.push_back(std::make_unique<int>(i));
        expected.push_back(std::make_unique<int>(i));
    }
    array.push_back(std::move(array[1]));
    expected.push_back(std::move(expected[1]));
    check("moved out of the room by one of its own");
    array.insert(0, std::move(array[3]));
    std::unique_ptr<int> taken = std::move(expected[3]);
    expected.insert(expected.begin(), std::move(taken));
    check("one of its own inserted outside");
    array.erase(1, 2);
    expected.erase(expected.begin() + 1, expected.begin() + 3);
    array.shrink_to_fit();
    EXPECT_TRUE(is_inside(array));
    check("back in the room");
    Array<std::unique_ptr<int>, InlineAllocator<3>> target = std::move(array);
    std::swap(target, array);
    EXPECT_TRUE(target.empty()) << "moved from, and swapped back";
    check("moved there and back");
}

// An std::string may point into itself, so nothing of this is moved by its bytes.
struct Named {
    explicit Named(std::size_t number) : name("element number " + std::to_string(number)) {}
    bool operator==(const Named&) const = default;
    std::string name;
};
static_assert(!std::is_default_constructible_v<Named> && !is_trivially_relocatable<Named>);

TEST(InlineAllocator, TakesElementsWithoutDefaultOutAndIn) {
    for (std::size_t own = 0; own < 4; ++own) {
        SCOPED_TRACE("element " + std::to_string(own) + " added to its own array");
        Four<Named> array;
        std::vector<Named> expected;
        for (std::size_t i = 0; i < 4; ++i) {
            array.emplace_back(i);
            expected.emplace_back(i);
        }
        const Named value = expected[own];
        array.push_back(array[own]);  // leaves the room
        expected.push_back(value);
        array.insert(0, array[own + 1]);
        expected.insert(expected.begin(), expected[own + 1]);
        array.append(array);
        for (std::size_t i = 0; i < 6; ++i) expected.push_back(Named(expected[i]));
        EXPECT_TRUE(std::ranges::equal(array, expected));
        array.erase(2, 10);
        expected.erase(expected.begin() + 2, expected.end());
        array.shrink_to_fit();
        EXPECT_TRUE(is_inside(array));
        EXPECT_TRUE(std::ranges::equal(array, expected));
        array.check_invariants();
    }
}

TEST(InlineAllocator, MayFallBackToAMemStack) {
    MemStack stack;
    const MemMark mark(stack);
    Array<std::string, InlineAllocator<2, MemStackAllocator<std::string>>> array(stack);
    EXPECT_EQ(stack.held_bytes(), 0U);
    for (int i = 0; i < 5; ++i) array.push_back(std::to_string(i));
    EXPECT_GT(stack.held_bytes(), 0U);
    EXPECT_THAT(array, ElementsAre("0", "1", "2", "3", "4"));
}

TEST(InlineAllocator, IsNotRelocatedByItsBytesInAnotherArray) {
    Tracked::reset();
    Array<Four<SelfReferring>> arrays;
    for (int i = 0; i < 20; ++i) arrays.push_back(counting<Four<SelfReferring>>(i % 4));
    for (int i = 0; i < 20; ++i) {
        const auto& inner = arrays[static_cast<std::size_t>(i)];
        EXPECT_TRUE(is_inside(inner));
        EXPECT_EQ(inner, counting<Four<SelfReferring>>(i % 4));
    }
}

}  // namespace
}  // namespace evertick::core
