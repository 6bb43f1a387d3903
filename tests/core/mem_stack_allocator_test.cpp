// Standard containers on a MemStack.

#include "core/mem_stack_allocator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tests/core/heap_counter.hpp"

namespace evertick::core {
namespace {

using ::testing::ElementsAre;

template <class T>
using Vector = std::vector<T, MemStackAllocator<T>>;
template <class Key, class Value>
using HashMap = std::unordered_map<Key, Value, std::hash<Key>, std::equal_to<Key>,
                                   MemStackAllocator<std::pair<const Key, Value>>>;

TEST(MemStackAllocator, AVectorLivesOnTheStack) {
    MemStack stack;
    const MemMark mark(stack);
    const std::size_t before = test::heap_allocations();
    Vector<int> numbers{stack};
    numbers.resize(20'000);
    std::iota(numbers.begin(), numbers.end(), 0);
    EXPECT_EQ(numbers[19'999], 19'999);
    EXPECT_LE(test::heap_allocations() - before, 20U) << "only the page pool's own bookkeeping";
    EXPECT_GE(stack.held_bytes(), 80'000U);
}

TEST(MemStackAllocator, GrowthNeverFreesTheMarkDoes) {
    PageAllocator pages;
    MemStack stack(pages);
    {
        const MemMark mark(stack);
        Vector<int> numbers{stack};
        for (int i = 0; i < 100'000; ++i) numbers.push_back(i);
        EXPECT_GE(stack.held_bytes(), std::size_t{2} * 400'000 / 2 + 400'000);
    }
    EXPECT_LE(stack.held_bytes(), PageSource::kPageBytes + MemStack::kSpareBytes);
    EXPECT_EQ(pages.stats().block_pages, 0U);
}

TEST(MemStackAllocator, AHashMapLivesOnTheStack) {
    MemStack stack;
    const MemMark mark(stack);
    HashMap<std::uint64_t, int> squares(stack);
    for (int i = 0; i < 5000; ++i) squares[static_cast<std::uint64_t>(i)] = i * i;
    for (int i = 0; i < 5000; i += 2) squares.erase(static_cast<std::uint64_t>(i));
    EXPECT_EQ(squares.size(), 2500U);
    EXPECT_EQ(squares.at(71), 5041);
}

TEST(MemStackAllocator, UsesThisThreadsStackUnlessTold) {
    const MemMark mark;
    const Vector<int> numbers{1, 2, 3};
    EXPECT_EQ(&numbers.get_allocator().stack(), &MemStack::this_thread());
    EXPECT_THAT(numbers, ElementsAre(1, 2, 3));
}

TEST(MemStackAllocator, IsEqualOnTheSameStackOnly) {
    MemStack one;
    MemStack two;
    EXPECT_TRUE(MemStackAllocator<int>(one) == MemStackAllocator<double>(one));
    EXPECT_FALSE(MemStackAllocator<int>(one) == MemStackAllocator<int>(two));
}

TEST(MemStackAllocator, MovingWithinAStackStealsBetweenStacksMoves) {
    MemStack one;
    MemStack two;
    const MemMark mark_one(one);
    const MemMark mark_two(two);
    Vector<std::string> source({"a string longer than the small buffer", "b"}, one);
    const std::string* const data = source.data();
    Vector<std::string> same{one};
    same = std::move(source);
    EXPECT_EQ(same.data(), data);
    Vector<std::string> other{two};
    other = std::move(same);
    EXPECT_NE(other.data(), data);
    EXPECT_EQ(&other.get_allocator().stack(), &two) << "a container stays on its own stack";
    EXPECT_THAT(other, ElementsAre("a string longer than the small buffer", "b"));
}

TEST(MemStackAllocator, SwappingContainersOfTwoStacksSwapsTheStacks) {
    MemStack one;
    MemStack two;
    const MemMark mark_one(one);
    const MemMark mark_two(two);
    Vector<int> a({1, 2}, one);
    Vector<int> b({3}, two);
    a.swap(b);
    EXPECT_THAT(a, ElementsAre(3));
    EXPECT_EQ(&a.get_allocator().stack(), &two);
}

TEST(MemStackAllocator, GrowthUnderAnInnerMarkIsCaughtByAddressSanitizer) {
    MemStack stack;
    const MemMark outer(stack);
    Vector<int> numbers{stack};
    {
        const MemMark inner(stack);
        numbers.push_back(1);
    }
    if constexpr (kAddressSanitizer) {
        EXPECT_DEATH({ numbers.front() = 2; }, "use-after-poison");
    }
}

TEST(MemStackAllocator, KeepsAWideAlignment) {
    struct alignas(64) Wide {
        int value;
    };
    MemStack stack;
    const MemMark mark(stack);
    (void)stack.allocate(1, 1);
    const Vector<Wide> items(10, stack);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(items.data()) % 64, 0U);
}

TEST(MemStackAllocator, CountTimesSizeIsCheckedForOverflow) {
    MemStack stack;
    const MemMark mark(stack);
    MemStackAllocator<std::uint64_t> allocator(stack);
    EXPECT_THROW((void)allocator.allocate(SIZE_MAX / 8 + 1), std::bad_array_new_length);
}

}  // namespace
}  // namespace evertick::core
