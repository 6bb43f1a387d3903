#include "core/verify.hpp"

#include <cstdio>
#include <cstdlib>

namespace evertick::core {

void verify_failed(std::string_view message, std::source_location where) {
    std::fprintf(stderr, "%s:%u: %s: verify failed: %.*s\n", where.file_name(), where.line(),
                 where.function_name(), static_cast<int>(message.size()), message.data());
    std::abort();
}

}  // namespace evertick::core
