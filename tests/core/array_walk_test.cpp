// Random walks of Array against std::vector: every kind of element with every allocator.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/array.hpp"
#include "core/heap_allocator.hpp"
#include "core/mem_stack_allocator.hpp"
#include "core/random.hpp"
#include "tests/core/array_elements.hpp"
#include "tests/core/checked_allocator.hpp"

namespace evertick::core {
namespace {

using test::AllocationLedger;
using test::Boxed;
using test::CheckedAllocator;
using test::SelfReferring;
using test::ThrowingMove;
using test::Tracked;
using test::value_of;
using test::Wide;

// An array and what it should be. Values are few, so that equal ones are common.
template <class Array>
class Walk {
  public:
    explicit Walk(std::uint64_t seed) : random_(seed) {}

    void step() {
        switch (random_.below(20)) {
            case 0:
            case 1:
            case 2:
            case 3: return push();
            case 4: return insert();
            case 5: return push_own();
            case 6: return insert_own();
            case 7: return append_own();
            case 8: return erase();
            case 9: return remove();
            case 10: return remove_equal();
            case 11: return remove_odd();
            case 12: return pop();
            case 13: return array_.reserve(random_.below(40));
            case 14: return array_.shrink_to_fit();
            case 15: return resize();
            case 16: return copy();
            case 17: return move();
            case 18: return swap();
            default: return clear();
        }
    }

    void check() const {
        array_.check_invariants();
        ASSERT_EQ(values(), expected_);
        ASSERT_EQ(array_.empty(), expected_.empty());
        if constexpr (!std::is_trivially_copyable_v<Element>) {
            ASSERT_EQ(Tracked::counts.live(), static_cast<int>(expected_.size()));
        }
        for (const Element& element : array_)
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&element) % alignof(Element), 0U);
    }

  private:
    using Element = typename Array::value_type;

    std::vector<int> values() const {
        std::vector<int> result;
        for (const Element& element : array_) result.push_back(value_of(element));
        return result;
    }
    int some_value() { return static_cast<int>(random_.below(16)); }
    std::size_t index() { return random_.below(expected_.size()); }
    auto at(std::size_t index) { return expected_.begin() + static_cast<std::ptrdiff_t>(index); }
    // What a removal that keeps no order should have left.
    void expect_any_order() {
        const std::vector<int> left = values();
        ASSERT_TRUE(std::is_permutation(left.begin(), left.end(), expected_.begin(), expected_.end()));
        expected_ = left;
    }

    void push() {
        expected_.push_back(some_value());
        array_.push_back(Element{expected_.back()});
    }
    void insert() {
        const std::size_t position = random_.below(expected_.size() + 1);
        const Element element{some_value()};
        expected_.insert(at(position), value_of(element));
        ASSERT_EQ(value_of(array_.insert(position, element)), expected_[position]);
    }
    void push_own() {
        if (expected_.empty()) return;
        const std::size_t source = index();
        array_.push_back(array_[source]);
        expected_.push_back(int{expected_[source]});
    }
    void insert_own() {
        if (expected_.empty()) return;
        const std::size_t source = index();
        const std::size_t position = index();
        array_.insert(position, array_[source]);
        expected_.insert(at(position), int{expected_[source]});
    }
    void append_own() {
        if (expected_.empty() || expected_.size() > 100) return;
        const std::size_t first = index();
        const std::size_t count = random_.below(expected_.size() - first + 1);
        array_.append(std::span(array_).subspan(first, count));
        const std::vector<int> added(at(first), at(first + count));
        expected_.insert(expected_.end(), added.begin(), added.end());
    }
    void erase() {
        const std::size_t first = random_.below(expected_.size() + 1);
        const std::size_t count = random_.below(std::min(std::size_t{4}, expected_.size() - first) + 1);
        array_.erase(first, count);
        expected_.erase(at(first), at(first + count));
    }
    void remove() {
        if (expected_.empty()) return;
        const std::size_t victim = index();
        array_.remove_at_swap(victim);
        expected_[victim] = expected_.back();
        expected_.pop_back();
    }
    void remove_equal() {
        if (expected_.empty()) return;
        const std::size_t own = index();
        const int value = random_.below(2) == 0 ? expected_[own] : some_value();
        const std::size_t removed =
            value == expected_[own] ? array_.remove_swap(array_[own]) : array_.remove_swap(Element{value});
        ASSERT_EQ(removed, std::erase(expected_, value));
        expect_any_order();
    }
    void remove_odd() {
        if (random_.below(4) != 0) return;
        const auto is_odd = [](const auto& element) { return value_of(element) % 2 != 0; };
        ASSERT_EQ(array_.remove_if_swap(is_odd), std::erase_if(expected_, [](int v) { return v % 2 != 0; }));
        expect_any_order();
    }
    void pop() {
        if (expected_.empty()) return;
        array_.pop_back();
        expected_.pop_back();
    }
    void resize() {
        const std::size_t size = random_.below(40);
        array_.resize(size);
        expected_.resize(size);
    }
    void copy() {
        const Array copy = array_;
        array_.clear();
        array_ = copy;
    }
    void move() {
        Array moved = std::move(array_);
        ASSERT_TRUE(array_.empty());
        array_.check_invariants();
        if (random_.below(2) == 0) array_.push_back(Element{1});
        array_ = std::move(moved);
        ASSERT_TRUE(moved.empty());
    }
    void swap() {
        Array other;
        other.resize(random_.below(9));
        swap_both(other);
        ASSERT_EQ(other.size(), expected_.size());
        swap_both(other);
    }
    void swap_both(Array& other) {
        using std::swap;
        swap(array_, other);
        other.check_invariants();
        array_.check_invariants();
    }
    void clear() {
        if (random_.below(4) != 0) return;  // seldom, or it would never grow
        array_.clear();
        expected_.clear();
    }

    Random random_;
    Array array_;
    std::vector<int> expected_;
};

template <class Array>
class ArrayWalk : public ::testing::Test {
  protected:
    ArrayWalk() {
        Tracked::reset();
        AllocationLedger::current = &ledger_;
    }
    ~ArrayWalk() override { AllocationLedger::current = nullptr; }

    AllocationLedger ledger_;
    MemMark mark_;  // on this thread's stack, where arrays of a MemStackAllocator go by default
};

template <class T>
using Binned = Array<T, CheckedAllocator>;
template <class T>
using Inline = Array<T, InlineAllocator<5>>;
template <class T>
using InlineBinned = Array<T, InlineAllocator<5, CheckedAllocator>>;
template <class T>
using OnHeap = Array<T, HeapAllocator>;
template <class T>
using OnStack = Array<T, MemStackAllocator<T>>;

using Arrays =
    ::testing::Types<Array<int>, Array<Boxed>, Array<Tracked>, Array<SelfReferring>, Array<ThrowingMove>,
                     Array<Wide>, Binned<int>, Binned<Boxed>, Binned<SelfReferring>, Binned<Wide>,
                     Inline<int>, Inline<Boxed>, Inline<Tracked>, Inline<SelfReferring>, Inline<ThrowingMove>,
                     Inline<Wide>, InlineBinned<Boxed>, InlineBinned<Tracked>, OnHeap<int>, OnHeap<Boxed>,
                     OnHeap<Tracked>, OnHeap<Wide>, OnStack<int>, OnStack<Boxed>, OnStack<SelfReferring>,
                     OnStack<Wide>>;
TYPED_TEST_SUITE(ArrayWalk, Arrays);

TYPED_TEST(ArrayWalk, EqualsAVectorAfterEveryStep) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        {
            Walk<TypeParam> walk(seed);
            for (int step = 0; step < 500; ++step) {
                walk.step();
                walk.check();
                if (::testing::Test::HasFatalFailure()) FAIL() << "at step " << step;
            }
        }
        ASSERT_EQ(Tracked::counts.live(), 0) << "constructors and destructors balance";
        ASSERT_EQ(this->ledger_.live.size(), 0U) << "blocks still out";
    }
}

}  // namespace
}  // namespace evertick::core
