// An optional without a flag.

#include "core/intrusive_optional.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "core/array.hpp"
#include "core/chunked_array.hpp"
#include "core/mem_stack_allocator.hpp"
#include "core/random.hpp"
#include "tests/core/tracked.hpp"

namespace evertick::core {
namespace {

using test::Tracked;
using ::testing::ElementsAre;

template <class T>
constexpr bool kCostsNothing = sizeof(IntrusiveOptional<T>) == sizeof(T);
static_assert(sizeof(IntrusiveOptional<ChunkedArray<int>>) == sizeof(ChunkedArray<int>));
static_assert(kCostsNothing<ChunkedArray<std::string, 64>> && kCostsNothing<Array<int>>);
static_assert(kCostsNothing<Array<int, InlineAllocator<3>>> &&
              kCostsNothing<Array<int, MemStackAllocator<int>>>);
static_assert(!std::is_default_constructible_v<UnsetState>, "only an IntrusiveOptional makes one");

template <class T>
class IntrusiveOptionalOf : public ::testing::Test {};
using Arrays =
    ::testing::Types<ChunkedArray<std::string>, Array<std::string>, Array<std::string, InlineAllocator<2>>>;
TYPED_TEST_SUITE(IntrusiveOptionalOf, Arrays);

template <class T>
T some() {
    T array;
    for (const char* text : {"one", "a text longer than the small buffer", "three"}) array.push_back(text);
    return array;
}
MATCHER(IsSome, "is what some() makes") {
    return ::testing::Matches(ElementsAre("one", "a text longer than the small buffer", "three"))(arg);
}

TYPED_TEST(IntrusiveOptionalOf, StartsUnset) {
    const IntrusiveOptional<TypeParam> unset;
    EXPECT_FALSE(unset.has_value());
    EXPECT_FALSE(unset);
    EXPECT_TRUE(unset == std::nullopt);
    EXPECT_FALSE(IntrusiveOptional<TypeParam>(std::nullopt));
}

TYPED_TEST(IntrusiveOptionalOf, AnEmptyValueIsAValue) {
    IntrusiveOptional<TypeParam> optional = TypeParam();
    ASSERT_TRUE(optional.has_value());
    EXPECT_TRUE(optional->empty());
    optional->push_back("one");
    EXPECT_THAT(*optional, ElementsAre("one"));
    optional->clear();
    optional->shrink_to_fit();
    EXPECT_TRUE(optional.has_value());
}

TYPED_TEST(IntrusiveOptionalOf, ResetAndEmplaceSwitchIt) {
    IntrusiveOptional<TypeParam> optional = some<TypeParam>();
    optional.reset();
    EXPECT_FALSE(optional);
    optional.reset();
    EXPECT_TRUE(optional.emplace().empty());
    optional.emplace(some<TypeParam>());
    EXPECT_THAT(*optional, IsSome());
}

TYPED_TEST(IntrusiveOptionalOf, CopiesAreDeep) {
    IntrusiveOptional<TypeParam> original = some<TypeParam>();
    IntrusiveOptional<TypeParam> copy = original;
    (*copy)[0] = "changed";
    EXPECT_THAT(*original, IsSome());
    copy = original;
    EXPECT_THAT(*copy, IsSome());
    copy = IntrusiveOptional<TypeParam>();
    EXPECT_FALSE(copy);
    EXPECT_THAT(*original, IsSome());
    const IntrusiveOptional<TypeParam> unset_copy = copy;
    EXPECT_FALSE(unset_copy);
}

TYPED_TEST(IntrusiveOptionalOf, MovingLeavesAMovedFromValueAsStdOptionalDoes) {
    IntrusiveOptional<TypeParam> source = some<TypeParam>();
    IntrusiveOptional<TypeParam> target = std::move(source);
    EXPECT_THAT(*target, IsSome());
    ASSERT_TRUE(source.has_value());
    EXPECT_TRUE(source->empty());
    source = std::move(target);
    EXPECT_THAT(*source, IsSome());
    source = std::nullopt;
    EXPECT_FALSE(source);
}

TYPED_TEST(IntrusiveOptionalOf, AssignmentToItselfChangesNothing) {
    IntrusiveOptional<TypeParam> optional = some<TypeParam>();
    IntrusiveOptional<TypeParam>& same = optional;
    optional = same;
    optional = std::move(same);
    EXPECT_THAT(*optional, IsSome());
}

TYPED_TEST(IntrusiveOptionalOf, TheValueOfNothingAborts) {
    IntrusiveOptional<TypeParam> unset;
    EXPECT_DEATH((void)*unset, "IntrusiveOptional: it holds no value");
    EXPECT_DEATH((void)unset->size(), "IntrusiveOptional: it holds no value");
}

// Does one of six things to one of some optionals.
template <class T, class Optionals>
void change(Optionals& all, std::uint64_t choice, std::size_t to, std::size_t from) {
    switch (choice) {
        case 0: return all[to].reset();
        case 1: return (void)all[to].emplace();
        case 2: return (void)(all[to] = some<T>());
        case 3: return (void)(all[to] = all[from]);
        case 4: return (void)(all[to] = std::move(all[from]));
        default:
            if (all[to]) all[to]->push_back("more");
    }
}

TYPED_TEST(IntrusiveOptionalOf, EqualsAStdOptionalAfterEveryStep) {
    Random random(5);
    std::array<IntrusiveOptional<TypeParam>, 3> ours;
    std::array<std::optional<TypeParam>, 3> expected;
    for (int step = 0; step < 2000; ++step) {
        const std::uint64_t choice = random.below(6);
        const std::size_t to = random.below(3);
        const std::size_t from = (to + 1 + random.below(2)) % 3;
        change<TypeParam>(ours, choice, to, from);
        change<TypeParam>(expected, choice, to, from);
        for (std::size_t i = 0; i < 3; ++i) {
            ours[i].check_invariants();
            ASSERT_EQ(ours[i].has_value(), expected[i].has_value()) << "in step " << step;
            ASSERT_TRUE(!ours[i] || std::ranges::equal(*ours[i], *expected[i])) << "in step " << step;
        }
    }
}

TEST(IntrusiveOptional, ComparesAsStdOptional) {
    using Optional = IntrusiveOptional<Array<int>>;
    EXPECT_EQ(Optional(), Optional());
    EXPECT_EQ(Optional(Array<int>{1, 2}), Optional(Array<int>{1, 2}));
    EXPECT_NE(Optional(Array<int>{1, 2}), Optional(Array<int>{1}));
    EXPECT_NE(Optional(Array<int>()), Optional());
}

TEST(IntrusiveOptional, DestroysItsValueExactlyOnce) {
    Tracked::reset();
    {
        IntrusiveOptional<ChunkedArray<Tracked>> optional;
        optional.emplace().add(3);
        optional.emplace().add(2);
        EXPECT_EQ(Tracked::counts.live(), 2);
        optional.reset();
        EXPECT_EQ(Tracked::counts.live(), 0);
        optional.emplace().add(1);
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(IntrusiveOptional, AValueThatThrowsLeavesItUnset) {
    Tracked::reset();
    Array<Tracked> source;
    source.resize(3);
    IntrusiveOptional<Array<Tracked>> optional = Array<Tracked>();
    Tracked::counts.throw_after = 1;
    EXPECT_THROW(optional.emplace(source), std::runtime_error);
    EXPECT_FALSE(optional);
}

TEST(IntrusiveOptional, MayHoldAMoveOnlyValue) {
    using Optional = IntrusiveOptional<Array<std::unique_ptr<int>>>;
    static_assert(!std::is_copy_constructible_v<Optional> && std::is_nothrow_move_constructible_v<Optional>);
    Optional optional;
    optional.emplace().push_back(std::make_unique<int>(7));
    const Optional moved = std::move(optional);
    EXPECT_EQ(*moved->front(), 7);
}

struct Branch {
    int value = 0;
    IntrusiveOptional<Array<std::unique_ptr<Branch>>> branches;
};

TEST(IntrusiveOptional, MayBeAssignedFromInsideItsOwnValue) {
    IntrusiveOptional<Array<std::unique_ptr<Branch>>> root;
    Branch& inner = *root.emplace().emplace_back(std::make_unique<Branch>());
    inner.branches.emplace().push_back(std::make_unique<Branch>(7));
    root = std::move(inner.branches);  // ends `inner`
    ASSERT_EQ(root->size(), 1U);
    EXPECT_EQ(root->front()->value, 7);
}

TEST(IntrusiveOptional, MayBeAnElement) {
    Array<IntrusiveOptional<Array<int>>> rows;
    rows.resize(10);
    for (std::size_t i = 0; i < 10; i += 2) rows[i].emplace().push_back(static_cast<int>(i));
    rows.resize(100);
    EXPECT_EQ(rows[8]->front(), 8);
    EXPECT_FALSE(rows[9]);
}

}  // namespace
}  // namespace evertick::core
