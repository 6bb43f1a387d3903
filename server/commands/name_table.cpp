#include "server/commands/name_table.hpp"

#include <bit>

#include "core/verify.hpp"

namespace evertick::commands {

NameTable::NameTable(std::span<const std::string_view> names)
    : slots_(std::bit_ceil(2 * names.size() + 1)), mask_(slots_.size() - 1) {
    for (std::size_t number = 0; number < names.size(); ++number) {
        std::size_t slot = home(names[number]);
        for (; slots_[slot].number != kUnknown; slot = (slot + 1) & mask_)
            core::verify(slots_[slot].name != names[number], "NameTable: a name stands twice");
        slots_[slot] = {names[number], number};
    }
}

}  // namespace evertick::commands
