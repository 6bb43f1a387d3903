#include "server/process_memory.hpp"

#include <fstream>

#include <malloc.h>
#include <unistd.h>

namespace evertick::server {
namespace {

std::uint64_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total_pages = 0;
    std::uint64_t resident_pages = 0;
    statm >> total_pages >> resident_pages;
    return resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

commands::MemoryStatus process_memory() {
    const struct mallinfo2 heap = ::mallinfo2();
    return {.rss_bytes = resident_bytes(),
            .live_bytes = heap.uordblks + heap.hblkhd,
            .reserved_bytes = heap.arena + heap.hblkhd};
}

}  // namespace evertick::server
