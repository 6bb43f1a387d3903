#pragma once
// An Array allocator that holds Array to its contract, for tests: every block is written down when it is
// handed out and looked up when it comes back. It gives power-of-two sizes and resizes in place within one,
// as an allocator of bins does, and can be told to run out.

#include <bit>
#include <cstddef>
#include <map>
#include <new>

#include "core/array_allocator.hpp"
#include "core/verify.hpp"

namespace evertick::test {

struct AllocationLedger {
    struct Entry {
        std::size_t asked_bytes, given_bytes, alignment;
    };
    std::map<void*, Entry> live;
    int allocations = 0;
    int resized_in_place = 0;
    int fail_after = -1;  // that many more allocations succeed; negative: all do

    static inline AllocationLedger* current = nullptr;  // what a default-constructed allocator uses
};

class CheckedAllocator {
  public:
    CheckedAllocator() noexcept : ledger_(AllocationLedger::current) {}
    explicit CheckedAllocator(AllocationLedger& ledger) noexcept : ledger_(&ledger) {}

    core::ArrayBlock allocate(std::size_t size_bytes, std::size_t alignment) {
        core::verify(size_bytes > 0, "CheckedAllocator: asked for nothing");
        if (ledger_->fail_after == 0) throw std::bad_alloc();
        if (ledger_->fail_after > 0) --ledger_->fail_after;
        const std::size_t given = std::bit_ceil(size_bytes);
        void* const data = ::operator new(given, std::align_val_t{alignment});
        ledger_->live[data] = {size_bytes, given, alignment};
        ++ledger_->allocations;
        return {data, given};
    }
    core::ArrayBlock resize(core::ArrayBlock block, std::size_t size_bytes, std::size_t alignment) {
        AllocationLedger::Entry& entry = entry_of(block, alignment);
        if (std::bit_ceil(size_bytes) != entry.given_bytes)
            return core::resize_by_copy(*this, block, size_bytes, alignment);
        entry.asked_bytes = size_bytes;
        ++ledger_->resized_in_place;
        return {block.data, entry.given_bytes};
    }
    void free(core::ArrayBlock block, std::size_t alignment) noexcept {
        (void)entry_of(block, alignment);
        ledger_->live.erase(block.data);
        ::operator delete(block.data, std::align_val_t{alignment});
    }

    const AllocationLedger& ledger() const { return *ledger_; }

  private:
    AllocationLedger::Entry& entry_of(core::ArrayBlock block, std::size_t alignment) const {
        const auto found = ledger_->live.find(block.data);
        core::verify(found != ledger_->live.end(), "CheckedAllocator: no such block");
        AllocationLedger::Entry& entry = found->second;
        core::verify(entry.alignment == alignment, "CheckedAllocator: another alignment");
        core::verify(block.size_bytes >= entry.asked_bytes && block.size_bytes <= entry.given_bytes,
                     "CheckedAllocator: another size");
        return entry;
    }

    AllocationLedger* ledger_;
};

static_assert(core::ArrayAllocator<CheckedAllocator>);

}  // namespace evertick::test
