// Elements that move one by one when a constructor or the allocator fails as the array grows: on the heap,
// and from the room inside the object.

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <vector>

#include "core/array.hpp"
#include "tests/core/array_elements.hpp"
#include "tests/core/checked_allocator.hpp"

namespace evertick::core {
namespace {

using test::ThrowingMove;
using test::Tracked;

constexpr std::size_t kFull = 4;

template <class Array>
class ArrayErrors : public ::testing::Test {
  protected:
    ArrayErrors() { test::AllocationLedger::current = &ledger_; }
    ~ArrayErrors() override { test::AllocationLedger::current = nullptr; }

    // One that is full, with values 0, 1, ..., and fresh counts.
    static Array full() {
        Array array;
        array.reserve(kFull);
        while (array.size() < array.capacity()) array.emplace_back(static_cast<int>(array.size()));
        Tracked::reset();
        return array;
    }
    static std::vector<int> values(const Array& array) {
        std::vector<int> result;
        for (const ThrowingMove& element : array) result.push_back(element.value);
        return result;
    }

    test::AllocationLedger ledger_;
};

using Arrays = ::testing::Types<Array<ThrowingMove, test::CheckedAllocator>,
                                Array<ThrowingMove, InlineAllocator<kFull, test::CheckedAllocator>>>;
TYPED_TEST_SUITE(ArrayErrors, Arrays);

TYPED_TEST(ArrayErrors, GrowthThatThrowsMidwayGivesItsBlockBack) {
    TypeParam array = this->full();
    const std::vector<int> before = this->values(array);
    const std::size_t blocks = this->ledger_.live.size();
    for (int succeed = 0; succeed < static_cast<int>(before.size()); ++succeed) {
        Tracked::counts.throw_after = succeed;
        EXPECT_THROW(array.reserve(100), std::runtime_error);
        Tracked::counts.throw_after = succeed;
        EXPECT_THROW(array.push_back(array[0]), std::runtime_error);
        Tracked::counts.throw_after = succeed;
        EXPECT_THROW(array.append(array), std::runtime_error);
        EXPECT_EQ(this->ledger_.live.size(), blocks) << "after " << succeed << " constructions";
        EXPECT_EQ(this->values(array), before) << "after " << succeed << " constructions";
    }
    EXPECT_EQ(Tracked::counts.live(), 0) << "no element came or went";
    Tracked::counts.throw_after = -1;
    array.check_invariants();
}

TYPED_TEST(ArrayErrors, AnAllocatorThatRunsOutLeavesTheElementsWhereTheyAre) {
    TypeParam array = this->full();
    const std::vector<int> before = this->values(array);
    const ThrowingMove* const data = array.data();
    this->ledger_.fail_after = 0;
    EXPECT_THROW(array.push_back(array[0]), std::bad_alloc);
    EXPECT_THROW(array.insert(1, array.back()), std::bad_alloc);
    EXPECT_THROW(array.append(array), std::bad_alloc);
    EXPECT_THROW(array.resize(100), std::bad_alloc);
    EXPECT_THROW(array.reserve(100), std::bad_alloc);
    EXPECT_EQ(array.data(), data);
    EXPECT_EQ(this->values(array), before);
    EXPECT_EQ(Tracked::counts.live(), 0) << "no element came or went";
    array.check_invariants();
}

}  // namespace
}  // namespace evertick::core
