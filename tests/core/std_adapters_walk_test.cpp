// Standard containers on our memory against the same ones on the heap: the three adapters in random walks.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/binned_adapters.hpp"
#include "core/mem_stack_allocator.hpp"
#include "core/page_allocator.hpp"
#include "core/random.hpp"

namespace evertick::core {
namespace {

using Key = std::uint64_t;

// The containers of one adapter. Texts long enough to own memory, which is the heap's.
template <template <class> class Allocator>
struct Containers {
    std::vector<std::string, Allocator<std::string>> list;
    std::map<Key, std::string, std::less<>, Allocator<std::pair<const Key, std::string>>> tree;
    std::unordered_map<Key, std::string, std::hash<Key>, std::equal_to<>,
                       Allocator<std::pair<const Key, std::string>>>
        table;

    explicit Containers(auto&&... source) : list(source...), tree(source...), table(source...) {}
};
using OnHeap = Containers<std::allocator>;

std::string text(Key key) {
    return "a text that is too long for a string's own room: " + std::to_string(key);
}

// One of seven changes, the same to both.
void change(auto& containers, std::uint64_t choice, Key key) {
    auto& [list, tree, table] = containers;
    switch (choice) {
        case 0: return list.push_back(text(key));
        case 1: return list.resize(list.size() / 2);
        case 2: return list.shrink_to_fit();
        case 3: return void(tree[key] = text(key));
        case 4: return void(tree.erase(key));
        case 5: return void(table[key] = text(key));
        default: return void(table.erase(key));
    }
}

void expect_equal(const auto& ours, const OnHeap& expected) {
    ASSERT_TRUE(std::ranges::equal(ours.list, expected.list));
    ASSERT_TRUE(std::ranges::equal(ours.tree, expected.tree));
    ASSERT_EQ(ours.table.size(), expected.table.size());
    for (const auto& [key, value] : expected.table) {
        const auto found = ours.table.find(key);
        ASSERT_TRUE(found != ours.table.end() && found->second == value) << "key " << key;
    }
}

void walk(auto& ours, const auto& check_memory) {
    OnHeap expected;
    Random random(11);
    for (int step = 0; step < 1500; ++step) {
        const std::uint64_t choice = random.below(7);
        const Key key = random.below(200);
        change(ours, choice, key);
        change(expected, choice, key);
        expect_equal(ours, expected);
        if (step % 50 == 0) check_memory();  // which goes over all pages of the process
        if (::testing::Test::HasFatalFailure()) FAIL() << "seed 11, step " << step;
    }
}

TEST(StdAdapters, OfTheBinsEqualTheHeapAfterEveryStep) {
    Containers<BinnedStdAllocator> ours;
    walk(ours, [] { BinnedAllocator::process().check_invariants(); });
}

TEST(StdAdapters, OfPmrEqualTheHeapAfterEveryStep) {
    Containers<std::pmr::polymorphic_allocator> ours(&binned_resource());
    walk(ours, [] { BinnedAllocator::process().check_invariants(); });
}

TEST(StdAdapters, OfAMemStackEqualTheHeapAfterEveryStep) {
    PageAllocator pages;
    MemStack stack(pages);
    const MemMark mark(stack);
    Containers<MemStackAllocator> ours(stack);
    walk(ours, [&] { stack.check_invariants(); });
}

}  // namespace
}  // namespace evertick::core
