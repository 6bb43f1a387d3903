#include "tests/bench/core/resident.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "core/verify.hpp"

namespace evertick::bench {

std::size_t resident_bytes() {
    char text[128] = {};
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t length = read(file, text, sizeof(text) - 1);
    close(file);
    core::verify(length > 0, "/proc/self/statm can be read");
    std::size_t total_pages = 0, resident_pages = 0;
    core::verify(std::sscanf(text, "%zu %zu", &total_pages, &resident_pages) == 2, "statm has two numbers");
    return resident_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace evertick::bench
