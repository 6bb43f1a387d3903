#include <dlfcn.h>
#include <malloc.h>

#include <cstddef>

#include "tests/bench/core/subject.hpp"

namespace evertick::bench {
namespace {

// Returns the function of that name, if a library of this process has it.
template <class Function>
Function* preloaded(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

void trim_malloc() {
    if (auto* const mallctl =
            preloaded<int(const char*, void*, std::size_t*, void*, std::size_t)>("mallctl")) {
        mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0);  // jemalloc
        mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);     // 4096: MALLCTL_ARENAS_ALL
    } else if (auto* const collect = preloaded<void(bool)>("mi_collect")) {
        collect(true);
    } else if (auto* const release = preloaded<void()>("MallocExtension_ReleaseFreeMemory")) {
        release();  // tcmalloc
    } else {
        malloc_trim(0);
    }
}

}  // namespace evertick::bench
