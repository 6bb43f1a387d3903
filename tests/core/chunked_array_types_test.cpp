// ChunkedArray with every kind of element, and how exactly it constructs and destroys them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/chunked_array.hpp"
#include "tests/core/tracked.hpp"

namespace evertick::core {
namespace {

using test::Tracked;
using TrackedArray = ChunkedArray<Tracked, 4 * sizeof(Tracked)>;

// Element values 0, 1, ... and fresh counts.
TrackedArray tracked(int count) {
    Tracked::reset();
    TrackedArray array;
    for (int i = 0; i < count; ++i) array.emplace_back(i);
    Tracked::reset();
    return array;
}

std::vector<int> values(const TrackedArray& array) {
    std::vector<int> result;
    for (const Tracked& element : array) result.push_back(element.value);
    return result;
}

TEST(ChunkedArrayElements, OneConstructorRunsPerElementAdded) {
    Tracked::reset();
    TrackedArray array;
    array.emplace_back(7);
    EXPECT_EQ(Tracked::counts.constructed, 1);
    array.reserve(100);
    EXPECT_EQ(Tracked::counts.constructed, 1) << "room is raw memory";
    array.add(10);
    EXPECT_EQ(Tracked::counts.constructed, 11);
    EXPECT_EQ(Tracked::counts.copied + Tracked::counts.moved, 0) << "growth moves no element";
}

TEST(ChunkedArrayElements, EachIsDestroyedExactlyOnce) {
    {
        TrackedArray array = tracked(13);
        array.pop_back();
        EXPECT_EQ(Tracked::counts.destroyed, 1);
        array.remove_at_swap(0);
        EXPECT_EQ(Tracked::counts.destroyed, 2);
        EXPECT_EQ(Tracked::counts.moved, 1);
        array.remove_at_swap(array.size() - 1);
        EXPECT_EQ(Tracked::counts.destroyed, 3);
        EXPECT_EQ(Tracked::counts.moved, 1) << "the last one is not moved onto itself";
        array.shrink_to_fit();
        EXPECT_EQ(Tracked::counts.destroyed, 3);
        array.clear(2);
        EXPECT_EQ(Tracked::counts.destroyed, 13);
        array.emplace_back(1);
    }
    EXPECT_EQ(Tracked::counts.destroyed, 14);
    EXPECT_EQ(Tracked::counts.constructed, 1);
}

TEST(ChunkedArrayElements, AConstructorThatThrowsLeavesTheArrayAsItWas) {
    for (const int size : {0, 3, 4, 5}) {  // in a chunk, and the first of a new one
        TrackedArray array = tracked(size);
        const std::vector<int> before = values(array);
        Tracked::counts.throw_after = 0;
        EXPECT_THROW(array.emplace_back(99), std::runtime_error);
        EXPECT_EQ(values(array), before) << "of " << size;
        EXPECT_EQ(Tracked::counts.live(), 0) << "no element came or went";
        array.check_invariants();
        Tracked::counts.throw_after = -1;
        EXPECT_EQ(array.emplace_back(7).value, 7) << "and it can go on";
    }
}

TEST(ChunkedArrayElements, AddThatThrowsMidwayLeavesTheArrayAsItWas) {
    for (int succeed = 0; succeed < 10; ++succeed) {
        TrackedArray array = tracked(3);
        Tracked::counts.throw_after = succeed;
        EXPECT_THROW(array.add(10), std::runtime_error);
        EXPECT_EQ(values(array), (std::vector{0, 1, 2})) << "after " << succeed << " constructions";
        EXPECT_EQ(Tracked::counts.constructed, succeed);
        EXPECT_EQ(Tracked::counts.destroyed, succeed);
        array.check_invariants();
    }
}

TEST(ChunkedArrayElements, MayBeMoveOnly) {
    ChunkedArray<std::unique_ptr<int>, 32> array;
    for (int i = 0; i < 20; ++i) array.push_back(std::make_unique<int>(i));
    array.remove_at_swap(3);
    EXPECT_EQ(*array[3], 19);
    EXPECT_EQ(array.size(), 19U);
    array.add(2);
    EXPECT_EQ(array.back(), nullptr);
}

TEST(ChunkedArrayElements, NeedNoDefaultConstructor) {
    struct Named {
        explicit Named(int number) : number_(number) {}
        int number_;
    };
    ChunkedArray<Named> array;
    array.reserve(5000);
    for (int i = 0; i < 5000; ++i) array.emplace_back(i);
    array.remove_at_swap(0);
    EXPECT_EQ(array[0].number_, 4999);
}

TEST(ChunkedArrayElements, MayBeOverAligned) {
    struct alignas(256) Wide {
        int value = 0;
    };
    ChunkedArray<Wide, 1024> array;
    array.add(50);
    for (const Wide& element : array) ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&element) % 256, 0U);
    array.check_invariants();
}

TEST(ChunkedArrayElements, MayBeLargerThanAChunk) {
    struct Huge {
        std::array<int, 10'000> numbers{};
    };
    ChunkedArray<Huge> array;
    for (int i = 0; i < 5; ++i) array.emplace_back().numbers.back() = i;
    array.remove_at_swap(0);
    EXPECT_EQ(array.chunks().size(), 4U);
    EXPECT_EQ(array[0].numbers.back(), 4);
    EXPECT_EQ(array[3].numbers.back(), 3);
}

TEST(ChunkedArrayElements, ChunksStartOnACacheLine) {
    ChunkedArray<char, 100> array;
    array.add(1000);
    for (const std::span<char> chunk : array.chunks())
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(chunk.data()) % 64, 0U);
}

}  // namespace
}  // namespace evertick::core
