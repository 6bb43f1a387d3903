#include "server/commands/field_names.hpp"

#include <array>
#include <string>
#include <vector>

#include "server/commands/name_table.hpp"

namespace evertick::commands {
namespace {

struct FullNames {
    std::vector<std::string> names;  // component by component
    std::vector<FieldPath> paths;    // of the same numbers
    std::array<std::size_t, world::kMaxComponentTypes>
        first{};  // by component: the number of its first field
};

FullNames full_names() {
    FullNames full;
    const auto types = world::component_types();
    for (std::size_t i = 0; i < types.size(); ++i) {
        full.first[i] = full.names.size();
        for (const core::Field& field : types[i].fields) {
            full.names.push_back(std::string(types[i].name) + '.' + std::string(field.name));
            full.paths.push_back({static_cast<world::ComponentIndex>(i), &field});
        }
    }
    return full;
}

const FullNames& all() {
    static const FullNames full = full_names();
    return full;
}

NameTable table_of(const std::vector<std::string>& names) {
    return NameTable(std::vector<std::string_view>(names.begin(), names.end()));
}

}  // namespace

const FieldPath* find_field_path(std::string_view full_name) {
    static const NameTable table = table_of(all().names);
    const std::size_t number = table.find(full_name);
    return number == NameTable::kUnknown ? nullptr : &all().paths[number];
}

std::string_view full_name(world::ComponentIndex component, std::size_t field) {
    return all().names[all().first[component] + field];
}

}  // namespace evertick::commands
