#include "core/result.hpp"

#include <array>
#include <utility>

namespace evertick::core {

std::string_view name(ErrorCode code) {
    constexpr std::array<std::string_view, 14> kNames{
        "ERR",     "NOENT",  "BADARG",    "WRONGTYPE", "LIMIT",   "OOM",       "BUSY",
        "LOADING", "NOAUTH", "WRONGPASS", "NOPERM",    "NOPROTO", "EXECABORT", "READONLY"};
    return kNames.at(std::to_underlying(code));
}

}  // namespace evertick::core
