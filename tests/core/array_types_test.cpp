// Array with every kind of element: how exactly it constructs and destroys them, copies and moves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "core/array.hpp"
#include "core/mem_stack_allocator.hpp"
#include "tests/core/array_elements.hpp"
#include "tests/core/checked_allocator.hpp"

namespace evertick::core {
namespace {

using test::Boxed;
using test::SelfReferring;
using test::ThrowingMove;
using test::ThrowingMoveOnly;
using test::Tracked;
using test::Wide;
using ::testing::ElementsAre;

// A full one with values 0, 1, ..., and fresh counts of constructors and destructors.
template <class T>
Array<T> full(std::size_t count) {
    Tracked::reset();
    Array<T> array;
    array.reserve(count);
    while (array.size() < std::max(array.capacity(), count))
        array.emplace_back(static_cast<int>(array.size()));
    Tracked::reset();
    return array;
}

template <class T>
std::vector<int> values(const Array<T>& array) {
    std::vector<int> result;
    for (const T& element : array) result.push_back(value_of(element));
    return result;
}

TEST(ArrayElements, OneConstructorRunsPerElementAdded) {
    Tracked::reset();
    Array<Tracked> array;
    array.reserve(50);
    EXPECT_EQ(Tracked::counts.constructed, 0) << "room is raw memory";
    array.emplace_back(7);
    EXPECT_EQ(Tracked::counts.constructed, 1);
    array.resize(11);
    EXPECT_EQ(Tracked::counts.constructed, 11);
    EXPECT_EQ(Tracked::counts.copied + Tracked::counts.moved, 0);
}

TEST(ArrayElements, EachIsDestroyedExactlyOnce) {
    Tracked::reset();
    {
        Array<Tracked> array;
        array.resize(13);
        array.pop_back();
        array.remove_at_swap(0);
        array.erase(3, 4);
        array.remove_at_swap(array.size() - 1);
        EXPECT_EQ(Tracked::counts.live(), 6);
        array.shrink_to_fit();
        array.resize(100);
        array.clear();
        EXPECT_EQ(Tracked::counts.live(), 0);
        array.emplace_back(1);
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(ArrayElements, GrowthByBytesRunsNoConstructor) {
    Array<Boxed> array = full<Boxed>(10);
    array.reserve(1000);
    EXPECT_EQ(Tracked::counts.constructed + Tracked::counts.destroyed, 0);
    EXPECT_EQ(value_of(array[9]), 9);
}

TEST(ArrayElements, SelfReferringOnesAreNeverRelocatedByTheirBytes) {
    Array<SelfReferring> array;  // each aborts when it is not where it was made
    for (int i = 0; i < 100; ++i) array.emplace_back(i);
    array.insert(3, array[50]);
    array.erase(1, 20);
    array.remove_at_swap(0);
    array.shrink_to_fit();
    for (const SelfReferring& element : array) element.check();
}

TEST(ArrayElements, AConstructorThatThrowsLeavesTheArrayAsItWas) {
    for (const bool grows : {false, true}) {
        Array<Tracked> array = full<Tracked>(5);
        if (!grows) array.pop_back();
        const std::vector<int> before = values(array);
        const int live = Tracked::counts.live();
        Tracked::counts.throw_after = 0;
        EXPECT_THROW(array.emplace_back(99), std::runtime_error);
        EXPECT_THROW(array.emplace(1, 99), std::runtime_error);
        EXPECT_THROW(array.push_back(array[0]), std::runtime_error);
        EXPECT_EQ(values(array), before) << (grows ? "full" : "with room");
        EXPECT_EQ(Tracked::counts.live(), live) << "no element came or went";
        array.check_invariants();
        Tracked::counts.throw_after = -1;
        EXPECT_EQ(array.emplace_back(7).value, 7) << "and it can go on";
    }
}

TEST(ArrayElements, AppendAndResizeThatThrowMidwayLeaveTheArrayAsItWas) {
    for (int succeed = 0; succeed < 5; ++succeed) {
        Array<Tracked> array = full<Tracked>(5);
        const std::vector<int> before = values(array);
        Tracked::counts.throw_after = succeed;
        EXPECT_THROW(array.append(array), std::runtime_error);
        Tracked::counts.throw_after = succeed;
        EXPECT_THROW(array.resize(array.size() + 6), std::runtime_error);
        EXPECT_EQ(values(array), before) << "after " << succeed << " constructions";
        EXPECT_EQ(Tracked::counts.live(), 0);
    }
}

TEST(ArrayElements, GrowthThatThrowsMidwayLeavesTheArrayAsItWas) {
    Array<ThrowingMove> array = full<ThrowingMove>(5);
    const std::vector<int> before = values(array);
    for (int succeed = 0; succeed < 5; ++succeed) {
        Tracked::counts.throw_after = succeed;
        EXPECT_THROW(array.reserve(100), std::runtime_error);
        EXPECT_EQ(values(array), before) << "after " << succeed << " copies";
        Tracked::counts.throw_after = succeed;
        EXPECT_THROW(array.emplace_back(99), std::runtime_error);
        EXPECT_EQ(values(array), before) << "after " << succeed << " constructions";
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
    array.check_invariants();
}

TEST(ArrayElements, InsertionWhoseMoveThrowsAddsNothing) {
    Array<ThrowingMove> array = full<ThrowingMove>(5);
    array.reserve(20);
    const std::vector<int> before = values(array);
    const ThrowingMove value(99);
    Tracked::counts.throw_after = 1;  // the copy succeeds, the move that makes room for it does not
    EXPECT_THROW(array.insert(1, value), std::runtime_error);
    EXPECT_EQ(values(array), before);
}

TEST(ArrayElements, GrowthOfAMoveOnlyOneThatThrowsLosesNone) {
    Array<ThrowingMoveOnly> array = full<ThrowingMoveOnly>(5);
    const std::size_t size = array.size();
    Tracked::counts.throw_after = 2;
    EXPECT_THROW(array.reserve(100), std::runtime_error);
    EXPECT_EQ(array.size(), size) << "some are moved-from";
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(ArrayElements, ACopyThatThrowsMidwayLeaksNothing) {
    test::AllocationLedger ledger;
    Tracked::reset();
    {
        Array<Tracked, test::CheckedAllocator> original{test::CheckedAllocator(ledger)};
        original.resize(10);
        Array<Tracked, test::CheckedAllocator> target{test::CheckedAllocator(ledger)};
        target.emplace_back(7);
        Tracked::counts.throw_after = 6;
        EXPECT_THROW((Array<Tracked, test::CheckedAllocator>(original)), std::runtime_error);
        Tracked::counts.throw_after = 6;
        EXPECT_THROW(target = original, std::runtime_error);
        EXPECT_EQ(target.front().value, 7);
        EXPECT_EQ(Tracked::counts.live(), 11);
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
    EXPECT_EQ(ledger.live.size(), 0U);
}

TEST(ArrayElements, MayBeMoveOnly) {
    Array<std::unique_ptr<int>> array;
    for (int i = 0; i < 20; ++i) array.push_back(std::make_unique<int>(i));
    array.insert(0, std::make_unique<int>(-1));
    array.remove_at_swap(3);
    EXPECT_EQ(*array[3], 19);
    array.erase(0);
    EXPECT_EQ(*array[0], 0);
    EXPECT_EQ(array.remove_swap(array[5]), 1U);
    array.resize(30);
    EXPECT_EQ(array.back(), nullptr);
    static_assert(!std::is_copy_constructible_v<Array<std::unique_ptr<int>>>);
    static_assert(!std::is_copy_assignable_v<Array<std::unique_ptr<int>>>);
}

TEST(ArrayElements, NeedNoDefaultConstructorNorAssignment) {
    struct Fixed {
        explicit Fixed(int initial) : number(initial) {}
        const int number;
    };
    static_assert(is_trivially_relocatable<Fixed> && !std::is_copy_assignable_v<Fixed>);
    Array<Fixed> array;
    for (int i = 0; i < 50; ++i) array.emplace_back(i);
    array.emplace(0, 99);
    array.erase(1);
    array.remove_at_swap(1);
    EXPECT_EQ(array[0].number, 99);
    EXPECT_EQ(array[1].number, 49);
}

TEST(ArrayElements, KeepAWideAlignmentOverGrowth) {
    Array<Wide> array;
    for (int i = 0; i < 10'000; ++i) {  // small blocks, and large ones that realloc would remap
        array.emplace_back(i);
        ASSERT_TRUE(array.back().is_aligned()) << i;
    }
    array.resize(10);
    array.shrink_to_fit();
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(array[static_cast<std::size_t>(i)].is_aligned());
        EXPECT_EQ(array[static_cast<std::size_t>(i)].value, i);
    }
}

TEST(ArrayElements, KeepTheirValuesOverGrowthToMegabytes) {
    struct Record {
        std::array<int, 20> numbers{};
    };
    Array<Record> array;
    for (int i = 0; i < 65'536; ++i) array.emplace_back().numbers[19] = i;
    for (int i = 0; i < 65'536; ++i) ASSERT_EQ(array[static_cast<std::size_t>(i)].numbers[19], i);
}

TEST(ArrayCopy, IsDeep) {
    const Array<std::string> original{"one", "a text too long for the small buffer", "three"};
    Array<std::string> copy = original;
    copy[1] = "changed";
    copy.push_back("more");
    EXPECT_THAT(original, ElementsAre("one", "a text too long for the small buffer", "three"));
    EXPECT_THAT(copy, ElementsAre("one", "changed", "three", "more"));
    copy = original;
    EXPECT_EQ(copy, original);
}

TEST(ArrayCopy, OfArraysOfArraysIsDeep) {
    const Array<Array<std::string>> original{{"a"}, {"b", "c"}};
    Array<Array<std::string>> copy = original;
    copy[1][0] = "changed";
    EXPECT_EQ(original[1][0], "b");
}

TEST(ArrayMove, LeavesAnEmptyUsableArray) {
    static_assert(std::is_nothrow_move_constructible_v<Array<std::string>>);
    static_assert(std::is_nothrow_move_assignable_v<Array<ThrowingMove>>, "no element is moved");
    Array<std::string> source{"one", "two"};
    const std::string* const data = source.data();
    Array<std::string> target = std::move(source);
    EXPECT_EQ(target.data(), data);
    EXPECT_TRUE(source.empty());
    EXPECT_EQ(source.capacity(), 0U);
    source.push_back("again");
    target = std::move(source);
    EXPECT_THAT(target, ElementsAre("again"));
    source.check_invariants();
}

TEST(ArrayMove, AssignmentMayTakeFromOneOfItsOwnElements) {
    struct Node {
        std::unique_ptr<Array<Node>> children = std::make_unique<Array<Node>>();
        std::string name;
    };
    Array<Node> nodes;
    nodes.emplace_back().children->emplace_back().name = "the only grandchild that is left";
    nodes = std::move(*nodes[0].children);
    ASSERT_EQ(nodes.size(), 1U);
    EXPECT_EQ(nodes[0].name, "the only grandchild that is left");
    nodes.check_invariants();
}

TEST(ArrayOnMemStack, GrowthNeverFreesTheMarkDoes) {
    PageAllocator pages;
    MemStack stack(pages);
    {
        const MemMark mark(stack);
        Array<int, MemStackAllocator<int>> numbers(stack);
        for (int i = 0; i < 100'000; ++i) numbers.push_back(i);
        EXPECT_EQ(numbers[99'999], 99'999);
        EXPECT_GE(stack.held_bytes(), std::size_t{2} * 400'000);
        numbers.shrink_to_fit();
        EXPECT_GE(numbers.capacity(), 100'000U);
    }
    EXPECT_LE(stack.held_bytes(), std::size_t{64} * 1024);
}

TEST(ArrayOnMemStack, MovingTakesTheStackAlongCopyingDoesNot) {
    MemStack one;
    MemStack two;
    const MemMark mark_one(one);
    const MemMark mark_two(two);
    using OnStack = Array<std::string, MemStackAllocator<std::string>>;
    OnStack source({"a", "b"}, one);
    OnStack target(two);
    target = source;
    EXPECT_EQ(&target.allocator().stack(), &two);
    EXPECT_THAT(target, ElementsAre("a", "b"));
    target = std::move(source);
    EXPECT_EQ(&target.allocator().stack(), &one);
    EXPECT_THAT(target, ElementsAre("a", "b"));
}

}  // namespace
}  // namespace evertick::core
