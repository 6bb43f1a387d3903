// Random walks of MemStack and MemMark: nothing overlaps, nothing older changes, everything goes back.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/mem_stack.hpp"
#include "core/random.hpp"

namespace evertick::core {
namespace {

class Walk {
  public:
    Walk(std::uint64_t seed, PageSize page_size) : random_(seed), stack_(pages_, page_size) {}
    ~Walk() {
        while (!scopes_.empty()) pop();
    }

    void step() {
        const std::uint64_t choice = random_.below(20);
        if (scopes_.empty() || choice < 2) return push();
        if (choice < 4) return pop();
        allocate();
    }

    void check() {
        stack_.check_invariants();
        pages_.check_invariants();
        ASSERT_EQ(stack_.has_mark(), !scopes_.empty());
        const PageStats stats = pages_.stats();
        ASSERT_EQ(stats.small_pages * std::to_underlying(PageSize::small) +
                      (stats.large_pages + stats.block_pages) * std::to_underlying(PageSize::large),
                  stack_.held_bytes());
    }

    // Whether all that is allocated still holds what was written to it.
    void check_contents(std::size_t from) const {
        for (std::size_t i = from; i < regions_.size(); ++i)
            ASSERT_TRUE(regions_[i].is_intact())
                << "region " << i << " of " << regions_[i].size_bytes << " bytes";
    }
    std::size_t regions() const { return regions_.size(); }

  private:
    struct Region {
        unsigned char* memory;
        std::size_t size_bytes;
        unsigned char content;

        bool is_intact() const {
            return size_bytes == 0 ||
                   (memory[0] == content && std::memcmp(memory, memory + 1, size_bytes - 1) == 0);
        }
    };
    struct Scope {
        std::unique_ptr<MemMark> mark;
        std::size_t first_region;
    };

    void push() { scopes_.push_back({std::make_unique<MemMark>(stack_), regions_.size()}); }
    void pop() {
        check_contents(scopes_.back().first_region);
        regions_.resize(scopes_.back().first_region);
        scopes_.pop_back();
    }
    void allocate() {
        const std::size_t limit = random_.below(40) == 0 ? 200'000 : random_.below(10) == 0 ? 4000 : 200;
        const std::size_t size_bytes = random_.below(limit);
        const std::size_t alignment = std::size_t{1} << random_.below(14);  // also beyond a page's own
        auto* const memory = static_cast<unsigned char*>(stack_.allocate(size_bytes, alignment));
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U);
        const auto content = static_cast<unsigned char>(random_.next());
        std::memset(memory, content, size_bytes);
        regions_.push_back({memory, size_bytes, content});
    }

    Random random_;
    PageAllocator pages_;
    MemStack stack_;
    std::vector<Region> regions_;
    std::vector<Scope> scopes_;
};

void walk(PageSize page_size) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Walk walk(seed, page_size);
        for (int step = 0; step < 2000; ++step) {
            walk.step();
            walk.check();
            walk.check_contents(walk.regions() - std::min(walk.regions(), std::size_t{3}));
            if (::testing::Test::HasFatalFailure()) FAIL() << "at step " << step;
        }
    }
}

TEST(MemStackWalk, HoldsWithLargePages) { walk(PageSize::large); }
TEST(MemStackWalk, HoldsWithSmallPages) { walk(PageSize::small); }

}  // namespace
}  // namespace evertick::core
