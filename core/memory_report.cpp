#include "core/memory_report.hpp"

namespace evertick::core {

std::size_t MemoryReport::live_bytes() const {
    return bins.live_bytes() + (stacks.large_pages + stacks.block_pages) * PageSource::kPageBytes +
           stacks.small_pages * static_cast<std::size_t>(PageSize::small);
}

std::size_t MemoryReport::committed_bytes() const {
    return source.committed_bytes() - (bins.pages() * kBinPageBytes - bins.committed_bytes());
}

std::size_t MemoryReport::unaccounted_pages() const {
    return source.live_pages - stacks.pages() - bins.pages();
}

MemoryReport memory_report() {
    return {PageSource::process().stats(), PageAllocator::process().stats(),
            BinnedAllocator::process().stats()};
}

}  // namespace evertick::core
