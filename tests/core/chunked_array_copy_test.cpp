// Copying, moving and swapping ChunkedArrays, and copying out of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/chunked_array.hpp"
#include "tests/core/tracked.hpp"

namespace evertick::core {
namespace {

using test::Tracked;
using ::testing::ElementsAre;

using Four = ChunkedArray<int, 16>;
using Strings = ChunkedArray<std::string, 2 * sizeof(std::string)>;

Four counting(int count) {
    Four array;
    for (int i = 0; i < count; ++i) array.push_back(i);
    return array;
}

TEST(ChunkedArrayCopy, IsDeep) {
    Strings original;
    for (const char* text : {"one", "a text too long for the small buffer", "three"})
        original.push_back(text);
    Strings copy = original;
    copy[1] = "changed";
    copy.push_back("more");
    EXPECT_THAT(original, ElementsAre("one", "a text too long for the small buffer", "three"));
    EXPECT_THAT(copy, ElementsAre("one", "changed", "three", "more"));
    copy.check_invariants();
}

TEST(ChunkedArrayCopy, ExistsOnlyWhereElementsCopy) {
    static_assert(std::is_copy_constructible_v<Four> && std::is_copy_assignable_v<Four>);
    static_assert(!std::is_copy_constructible_v<ChunkedArray<std::unique_ptr<int>>>);
    static_assert(!std::is_copy_assignable_v<ChunkedArray<std::unique_ptr<int>>>);
    static_assert(std::is_nothrow_move_constructible_v<ChunkedArray<std::unique_ptr<int>>>);
}

TEST(ChunkedArrayCopy, ThatThrowsMidwayLeaksNothing) {
    Tracked::reset();
    ChunkedArray<Tracked, 4 * sizeof(Tracked)> original;
    original.add(10);
    Tracked::reset();
    Tracked::counts.throw_after = 6;
    EXPECT_THROW((ChunkedArray(original)), std::runtime_error);
    EXPECT_EQ(Tracked::counts.live(), 0);
    EXPECT_EQ(original.size(), 10U);
}

TEST(ChunkedArrayCopy, AssignmentThatThrowsLeavesTheTargetAsItWas) {
    Tracked::reset();
    ChunkedArray<Tracked> original;
    original.add(10);
    ChunkedArray<Tracked> target;
    target.emplace_back(5);
    Tracked::counts.throw_after = 6;
    EXPECT_THROW(target = original, std::runtime_error);
    Tracked::reset();
    ASSERT_EQ(target.size(), 1U);
    EXPECT_EQ(target[0].value, 5);
}

TEST(ChunkedArrayCopy, AssignmentToItselfChangesNothing) {
    Four array = counting(6);
    Four& alias = array;
    array = alias;
    EXPECT_THAT(array, ElementsAre(0, 1, 2, 3, 4, 5));
    array = std::move(alias);
    EXPECT_THAT(array, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(ChunkedArrayMove, LeavesTheSourceEmptyAndUsable) {
    Four source = counting(6);
    const int* const third = &source[2];
    Four target = std::move(source);
    EXPECT_EQ(&target[2], third) << "elements stay where they are";
    // NOLINTBEGIN(bugprone-use-after-move): what it is worth afterwards is the point
    EXPECT_TRUE(source.empty());
    EXPECT_EQ(source.allocated_bytes(), 0U);
    source.push_back(7);
    EXPECT_THAT(source, ElementsAre(7));
    // NOLINTEND(bugprone-use-after-move)
    target = counting(2);
    EXPECT_THAT(target, ElementsAre(0, 1));
    target.check_invariants();
}

TEST(ChunkedArrayMove, TouchesNoElement) {
    Tracked::reset();
    ChunkedArray<Tracked> source;
    source.add(5);
    Tracked::reset();
    ChunkedArray<Tracked> target = std::move(source);
    ChunkedArray<Tracked> other;
    swap(target, other);
    EXPECT_EQ(other.size(), 5U);
    EXPECT_EQ(Tracked::counts.constructed + Tracked::counts.destroyed + Tracked::counts.moved, 0);
}

TEST(ChunkedArrayCopyTo, CopiesAcrossChunks) {
    const Four array = counting(11);
    std::vector<int> out(13, -1);
    array.copy_to(out);
    EXPECT_THAT(out, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, -1));
    Four().copy_to({});  // nothing onto nothing
}

TEST(ChunkedArrayCopyTo, CopiesOwningElementsOneByOne) {
    Strings array;
    for (int i = 0; i < 5; ++i) array.push_back(std::string(40, static_cast<char>('a' + i)));
    std::vector<std::string> out(5);
    array.copy_to(out);
    array[0] = "changed";
    EXPECT_EQ(out[0], std::string(40, 'a'));
    EXPECT_EQ(out[4], std::string(40, 'e'));
}

TEST(ChunkedArrayCopyTo, ASpanThatIsTooSmallAborts) {
    const Four array = counting(5);
    std::vector<int> out(4);
    EXPECT_DEATH(array.copy_to(out), "the span is smaller than the array");
}

}  // namespace
}  // namespace evertick::core
