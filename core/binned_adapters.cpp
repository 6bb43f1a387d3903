#include "core/binned_adapters.hpp"

#include <algorithm>

namespace evertick::core {

namespace {

class BinnedResource final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t size_bytes, std::size_t alignment) override {
        return BinnedAllocator::process().allocate(size_bytes, std::max(alignment, kCellAlignment));
    }
    void do_deallocate(void* memory, std::size_t size_bytes, std::size_t alignment) override {
        BinnedAllocator::process().free(memory, size_bytes, std::max(alignment, kCellAlignment));
    }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }
};

}  // namespace

std::pmr::memory_resource& binned_resource() {
    static BinnedResource* const immortal = new BinnedResource;
    return *immortal;
}

}  // namespace evertick::core
