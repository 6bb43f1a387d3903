// An element of the array passed to the array's own functions, just when it is full and must grow: on the
// heap and inside the object, where no sanitizer would see a stale reference, only the value tells.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/array.hpp"
#include "core/heap_allocator.hpp"
#include "core/mem_stack_allocator.hpp"
#include "tests/core/array_elements.hpp"
#include "tests/core/checked_allocator.hpp"

namespace evertick::core {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t kFull = 4;

// Element i is a text that tells i, long enough to own memory.
std::string text(std::size_t i) { return "element number " + std::to_string(i) + " of a full array"; }

template <class Array>
class ArraySelf : public ::testing::Test {
  protected:
    ArraySelf() { test::AllocationLedger::current = &ledger_; }
    ~ArraySelf() override { test::AllocationLedger::current = nullptr; }

    // One that is full, so that whatever is added next makes it grow.
    static Array full() {
        Array array;
        array.reserve(kFull);
        for (std::size_t i = 0; i < array.capacity(); ++i) array.push_back(text(i));
        EXPECT_EQ(array.size(), array.capacity());
        return array;
    }
    static std::vector<std::string> copy(const Array& array) { return {array.begin(), array.end()}; }

    test::AllocationLedger ledger_;
    MemMark mark_;
};

using Arrays = ::testing::Types<Array<std::string>, Array<std::string, InlineAllocator<kFull>>,
                                Array<std::string, HeapAllocator>, Array<std::string, test::CheckedAllocator>,
                                Array<std::string, MemStackAllocator<std::string>>>;
TYPED_TEST_SUITE(ArraySelf, Arrays);

TYPED_TEST(ArraySelf, PushBackOfTheFirstElement) {
    TypeParam array = this->full();
    std::vector<std::string> expected = this->copy(array);
    array.push_back(array[0]);
    expected.push_back(text(0));
    EXPECT_EQ(this->copy(array), expected);
}

TYPED_TEST(ArraySelf, PushBackOfAMovedElement) {
    TypeParam array = this->full();
    array.push_back(std::move(array[1]));
    EXPECT_EQ(array.back(), text(1));
    EXPECT_EQ(array[1], "") << "moved-from, and still an element";
}

TYPED_TEST(ArraySelf, EmplaceBackOfAPartOfAnElement) {
    TypeParam array = this->full();
    array.emplace_back(array[2].c_str());
    EXPECT_EQ(array.back(), text(2));
}

TYPED_TEST(ArraySelf, InsertOfTheLastElementAtEveryPosition) {
    for (std::size_t position = 0; position <= kFull; ++position) {
        TypeParam array = this->full();
        std::vector<std::string> expected = this->copy(array);
        array.insert(position, array.back());
        expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(position), text(expected.size() - 1));
        EXPECT_EQ(this->copy(array), expected) << "at " << position;
    }
}

TYPED_TEST(ArraySelf, InsertWithoutGrowthOfTheElementItShifts) {
    TypeParam array = this->full();
    array.reserve(array.size() + 1);
    array.insert(0, array[0]);
    array.erase(1);
    array.insert(1, array[2]);
    EXPECT_EQ(array[0], text(0));
    EXPECT_EQ(array[1], text(2));
    EXPECT_EQ(array[2], text(1));
}

TYPED_TEST(ArraySelf, AppendOfItself) {
    TypeParam array = this->full();
    const std::size_t size = array.size();
    array.append(array);
    ASSERT_EQ(array.size(), 2 * size);
    for (std::size_t i = 0; i < 2 * size; ++i) EXPECT_EQ(array[i], text(i % size)) << "element " << i;
}

TYPED_TEST(ArraySelf, AppendOfAPartOfItself) {
    TypeParam array = this->full();
    const std::size_t size = array.size();
    array.append(std::span(array).subspan(1, 2));
    ASSERT_EQ(array.size(), size + 2);
    EXPECT_EQ(array[size], text(1));
    EXPECT_EQ(array[size + 1], text(2));
}

TYPED_TEST(ArraySelf, AssignmentToItselfChangesNothing) {
    TypeParam array = this->full();
    const std::vector<std::string> expected = this->copy(array);
    TypeParam& same = array;
    array = same;
    EXPECT_EQ(this->copy(array), expected);
    array = std::move(same);
    EXPECT_EQ(this->copy(array), expected);
    array.swap(same);
    EXPECT_EQ(this->copy(array), expected);
}

TYPED_TEST(ArraySelf, RemoveSwapOfAnElementOfItsOwn) {
    TypeParam array = this->full();
    array.push_back(text(0));
    array.push_back(text(0));
    const std::size_t size = array.size();
    EXPECT_EQ(array.remove_swap(array[0]), 3U);
    EXPECT_EQ(array.size(), size - 3);
    EXPECT_THAT(array, ::testing::Each(::testing::Ne(text(0))));
}

// A debug build overwrites the room that they leave; their bytes would do for a stale reference otherwise.
TEST(ArraySelf, TypesRelocatedByTheirBytesToo) {
    for (std::size_t source = 0; source < 4; ++source) {
        Array<test::Boxed, InlineAllocator<4>> array;
        for (int i = 0; i < 4; ++i) array.emplace_back(i);
        array.push_back(array[source]);  // leaves the room inside
        while (array.size() < array.capacity()) array.emplace_back(9);
        array.insert(0, array[source]);  // by realloc
        EXPECT_EQ(array[0], test::Boxed(static_cast<int>(source)));
        EXPECT_EQ(array[5], test::Boxed(static_cast<int>(source)));
    }
}

}  // namespace
}  // namespace evertick::core
