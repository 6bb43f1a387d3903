#include "server/commands/name_table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/commands/field_names.hpp"

namespace evertick::commands {
namespace {

TEST(NameTable, FindsEveryNameAndNoOther) {
    std::vector<std::string> texts;
    for (int i = 0; i < 1000; ++i) texts.push_back("name" + std::to_string(i));
    const std::vector<std::string_view> names(texts.begin(), texts.end());
    const NameTable table(names);
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(table.find(names[i]), i) << names[i];
    for (const char* other : {"", "name", "name1000", "Name1"})
        EXPECT_EQ(table.find(other), NameTable::kUnknown) << other;
}

TEST(NameTable, MayBeEmpty) { EXPECT_EQ(NameTable({}).find("a"), NameTable::kUnknown); }

TEST(FieldNames, KnowEveryFieldOfEveryComponent) {
    const auto types = world::component_types();
    for (std::size_t i = 0; i < types.size(); ++i)
        for (std::size_t field = 0; field < types[i].fields.size(); ++field) {
            const std::string_view name = full_name(static_cast<world::ComponentIndex>(i), field);
            const FieldPath* const found = find_field_path(name);
            ASSERT_NE(found, nullptr) << name;
            EXPECT_EQ(found->component, i) << name;
            EXPECT_EQ(found->field, &types[i].fields[field]) << name;
        }
    EXPECT_EQ(find_field_path("position"), nullptr);
}

}  // namespace
}  // namespace evertick::commands
