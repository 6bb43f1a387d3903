#pragma once
// PagedArray<T>: an array of plain values by index, in pages of 1,024 that are there or not. All that are not
// are one shared page, full of kAbsent: reading needs no test for it, and an index without neighbours costs a
// page and not the gap below it. Pages never move.
//
// Invariant: an element of a page that is not there reads as kAbsent.
// Cost:      O(1) unless said otherwise; 8 bytes for every page up to the highest, there or not.
// Errors:    std::bad_alloc, with nothing changed.
// Memory:    pages are cells of BinnedAllocator::process().
// Threads:   as the standard containers.

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "core/array.hpp"
#include "core/binned_allocator.hpp"
#include "core/verify.hpp"

namespace evertick::ecs {

template <class T, T kAbsent>
class PagedArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    static constexpr int kShift = 10;

  public:
    static constexpr std::size_t kPageSize = std::size_t{1} << kShift;  // elements
    using Page = std::array<T, kPageSize>;

  private:
    static constexpr std::size_t kMask = kPageSize - 1;

    static constexpr Page absent_page() {
        Page page{};
        page.fill(kAbsent);
        return page;
    }
    static constexpr Page kAbsentPage = absent_page();

    struct FreePage {
        void operator()(const Page* page) const noexcept {
            if (page != &kAbsentPage)
                core::BinnedAllocator::process().free(const_cast<Page*>(page), sizeof(Page));
        }
    };
    struct PagePointer : std::unique_ptr<const Page, FreePage> {
        PagePointer() : std::unique_ptr<const Page, FreePage>(&kAbsentPage) {}
    };

  public:
    // Where the pages are, for a loop of finds: true until one is made or dropped.
    class Lookup {
      public:
        Lookup(const PagePointer* directory, std::size_t page_count)
            : directory_(directory), page_count_(page_count) {}
        T find(std::size_t index) const {
            const std::size_t page = index >> kShift;
            return page < page_count_ ? (*directory_[page])[index & kMask] : kAbsent;
        }

      private:
        const PagePointer* directory_;
        std::size_t page_count_;
    };

    void swap(PagedArray& other) noexcept {
        directory_.swap(other.directory_);
        std::swap(pages_held_, other.pages_held_);
    }

    // Pages there could be without the directory growing.
    std::size_t page_count() const { return directory_.size(); }
    bool has_page(std::size_t page) const {
        return page < directory_.size() && directory_[page].get() != &kAbsentPage;
    }
    // requires: page < page_count()
    const Page& page(std::size_t page) const { return *directory_[page]; }
    static constexpr std::size_t page_of(std::size_t index) { return index >> kShift; }

    // requires: page_of(index) < page_count()
    const T& operator[](std::size_t index) const { return (*directory_[index >> kShift])[index & kMask]; }
    // The same for any index.
    T find(std::size_t index) const { return lookup().find(index); }
    Lookup lookup() const { return {directory_.data(), directory_.size()}; }
    // The element to be written.
    // requires: its page is there (verified)
    T& writable(std::size_t index) {
        const Page* const page = directory_[index >> kShift].get();
        core::verify(page != &kAbsentPage, "PagedArray: the page to write to is not there");
        return const_cast<Page&>(*page)[index & kMask];  // any other page is ours
    }

    // Makes a page, unless it is there.
    // cost: O(kPageSize), and O(page_count()) when the directory grows
    void make_page(std::size_t page) {
        if (page >= directory_.size()) directory_.resize(page + 1);
        if (!has_page(page)) add_page(page);
    }
    // Gives its memory back: its elements are kAbsent from now on.
    // requires: page < page_count()
    void drop_page(std::size_t page) {
        if (has_page(page)) --pages_held_;
        directory_[page].reset(&kAbsentPage);
    }
    // Makes every element of the pages that are there kAbsent. cost: O(elements)
    void fill_absent() {
        for (const PagePointer& page : directory_)
            if (page.get() != &kAbsentPage) const_cast<Page&>(*page).fill(kAbsent);
    }
    // Gives back the spare part of the directory.
    void shrink_directory() {
        while (!directory_.empty() && !has_page(directory_.size() - 1)) directory_.pop_back();
        directory_.shrink_to_fit();
    }

    std::size_t allocated_bytes() const {
        return directory_.capacity() * sizeof(PagePointer) + pages_held_ * sizeof(Page);
    }
    // Aborts unless the pages are counted. cost: O(pages)
    void check_invariants() const {
        const auto held = std::ranges::count_if(
            directory_, [](const PagePointer& page) { return page.get() != &kAbsentPage; });
        core::verify(static_cast<std::size_t>(held) == pages_held_, "PagedArray: pages are counted");
    }

  private:
    [[gnu::noinline]] void add_page(std::size_t page) {
        void* const memory = core::BinnedAllocator::process().allocate(sizeof(Page));
        directory_[page].reset(::new (memory) Page(kAbsentPage));
        ++pages_held_;
    }

    core::Array<PagePointer> directory_;
    std::size_t pages_held_ = 0;
};

}  // namespace evertick::ecs
