#include "server/process_memory.hpp"

#include <fstream>

#include <unistd.h>

#include "core/memory_report.hpp"

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
    const core::MemoryReport report = core::memory_report();
    return {.rss_bytes = resident_bytes(),
            .live_bytes = report.live_bytes(),
            .reserved_bytes = report.committed_bytes()};
}

}  // namespace evertick::server
