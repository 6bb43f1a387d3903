// The operations on runs of elements, and which types are relocated by their bytes.

#include "core/relocate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/array.hpp"
#include "tests/core/array_elements.hpp"

namespace evertick::core {
namespace {

using test::Boxed;
using test::SelfReferring;
using test::ThrowingMove;
using test::ThrowingMoveOnly;
using test::Tracked;
using test::value_of;

// Raw memory for a few elements, and how many of them to destroy in the end.
template <class T>
struct Room {
    static constexpr std::size_t kCount = 8;
    alignas(T) std::byte bytes[kCount * sizeof(T)];
    std::size_t live = 0;

    Room() { std::memset(bytes, 0xDD, sizeof bytes); }
    explicit Room(int count) : Room() {
        for (; live < static_cast<std::size_t>(count); ++live)
            std::construct_at(items() + live, static_cast<int>(live));
    }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    ~Room() { destruct_items(items(), live); }

    T* items() { return reinterpret_cast<T*>(bytes); }
    std::vector<int> values() {
        std::vector<int> result;
        for (std::size_t i = 0; i < live; ++i) result.push_back(value_of(items()[i]));
        return result;
    }
};

TEST(Relocate, TriviallyCopyableTypesGoByTheirBytes) {
    struct Plain {
        int number;
        float fraction;
    };
    static_assert(is_trivially_relocatable<int> && is_trivially_relocatable<Plain*>);
    static_assert(is_trivially_relocatable<Plain> && is_trivially_relocatable<const Plain>);
}

TEST(Relocate, NoOtherTypeDoesUnlessItSaysSo) {
    static_assert(!is_trivially_relocatable<std::string>, "libstdc++'s points into itself");
    static_assert(!is_trivially_relocatable<std::mutex> && !is_trivially_relocatable<std::atomic<int>>);
    static_assert(!is_trivially_relocatable<std::unique_ptr<int>> && !is_trivially_relocatable<std::thread>);
    static_assert(!is_trivially_relocatable<SelfReferring> && !is_trivially_relocatable<Tracked>);
    static_assert(is_trivially_relocatable<Boxed> && is_trivially_relocatable<const Boxed>);
}

TEST(Relocate, AnArrayGoesByItsBytesUnlessElementsAreInside) {
    static_assert(is_trivially_relocatable<Array<std::string>>);
    static_assert(!is_trivially_relocatable<Array<int, InlineAllocator<1>>>);
    Array<Array<std::string>> lists;
    for (std::size_t i = 0; i < 100; ++i) lists.emplace_back().push_back(std::to_string(i));
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(lists[i].front(), std::to_string(i));
}

TEST(Relocate, ConstructItemsMakesZeroes) {
    Room<int> numbers;
    construct_items(numbers.items(), 8);
    numbers.live = 8;
    EXPECT_THAT(numbers.values(), ::testing::Each(0));
    Room<const char*> pointers;
    construct_items(pointers.items(), 8);
    EXPECT_EQ(pointers.items()[7], nullptr);
    struct Default {
        int number = 7;
    };
    Room<Default> defaults;
    construct_items(defaults.items(), 8);
    EXPECT_EQ(defaults.items()[7].number, 7);
}

TEST(Relocate, ConstructItemsThatThrowsMidwayLeavesNone) {
    Tracked::reset();
    Tracked::counts.throw_after = 3;
    Room<Tracked> room;
    EXPECT_THROW(construct_items(room.items(), 5), std::runtime_error);
    EXPECT_EQ(Tracked::counts.constructed, 3);
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(Relocate, CopyItemsLeavesTheSource) {
    Tracked::reset();
    {
        Room<Tracked> source(4);
        Room<Tracked> target;
        copy_items(target.items(), source.items(), 4);
        target.live = 4;
        EXPECT_EQ(target.values(), source.values());
        EXPECT_EQ(Tracked::counts.copied, 4);
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(Relocate, CopyItemsThatThrowsMidwayLeavesNone) {
    Tracked::reset();
    Room<Tracked> source(4);
    Room<Tracked> target;
    Tracked::counts.throw_after = 2;
    EXPECT_THROW(copy_items(target.items(), source.items(), 4), std::runtime_error);
    EXPECT_EQ(Tracked::counts.live(), 4) << "the source's";
}

TEST(Relocate, MoveItemsLeavesMovedFromElements) {
    Room<std::string> target;
    std::string source[] = {"a text longer than the small buffer", "b"};
    move_items(target.items(), source, 2);
    target.live = 2;
    EXPECT_EQ(target.items()[0], "a text longer than the small buffer");
    EXPECT_EQ(source[0], "");
}

TEST(Relocate, RelocateItemsOfPlainBytesRunsNoMoveAndNoDestructor) {
    Tracked::reset();
    Room<Boxed> source(5);
    Room<Boxed> target;
    const test::TrackedCounts before = Tracked::counts;
    relocate_items(target.items(), source.items(), std::exchange(source.live, 0));
    target.live = 5;
    EXPECT_EQ(Tracked::counts.constructed, before.constructed);
    EXPECT_EQ(Tracked::counts.destroyed, before.destroyed);
    EXPECT_THAT(target.values(), ::testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST(Relocate, RelocateItemsOfPlainBytesMayOverlap) {
    Room<Boxed> room(5);
    relocate_items(room.items() + 1, room.items(), 5);
    relocate_items(room.items(), room.items() + 1, 5);
    EXPECT_THAT(room.values(), ::testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST(Relocate, RelocateItemsMovesOthersOneByOne) {
    Tracked::reset();
    {
        Room<SelfReferring> source(5);
        Room<SelfReferring> target;
        relocate_items(target.items(), source.items(), std::exchange(source.live, 0));
        target.live = 5;
        EXPECT_EQ(Tracked::counts.moved, 5);
        EXPECT_EQ(Tracked::counts.copied, 0);
        EXPECT_EQ(Tracked::counts.live(), 5);
        for (std::size_t i = 0; i < 5; ++i) target.items()[i].check();
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(Relocate, RelocateItemsThatThrowsMidwayLeavesTheSourceUntouched) {
    static_assert(!is_nothrow_relocatable<ThrowingMove>);
    Tracked::reset();
    Room<ThrowingMove> source(5);
    Room<ThrowingMove> target;
    Tracked::counts.throw_after = 3;
    EXPECT_THROW(relocate_items(target.items(), source.items(), 5), std::runtime_error);
    EXPECT_THAT(source.values(), ::testing::ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(Tracked::counts.live(), 5);
}

TEST(Relocate, RelocateItemsThatThrowsWithoutACopyLeavesThemAtTheSource) {
    Tracked::reset();
    Room<ThrowingMoveOnly> source(5);
    Room<ThrowingMoveOnly> target;
    Tracked::counts.throw_after = 3;
    EXPECT_THROW(relocate_items(target.items(), source.items(), 5), std::runtime_error);
    EXPECT_EQ(Tracked::counts.live(), 5) << "moved-from ones too";
}

TEST(Relocate, NothingOfNothingIsFine) {
    int* const nowhere = nullptr;
    construct_items(nowhere, 0);
    copy_items(nowhere, nowhere, 0);
    move_items(nowhere, nowhere, 0);
    relocate_items(nowhere, nowhere, 0);
    destruct_items(nowhere, 0);
}

}  // namespace
}  // namespace evertick::core
