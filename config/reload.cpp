#include "config/reload.hpp"

namespace evertick::config {

Changes changes(const Settings& before, const Settings& after) {
    Changes found;
    for (const core::Field& field : kSettings.fields)
        if (core::compare(core::read(field, &before), core::Comparison::not_equal, core::read(field, &after)))
            (field.info.reloadable ? found.reloadable : found.needs_restart).push_back(field.name);
    return found;
}

Settings reloaded(const Settings& before, const Settings& after) {
    Settings result = before;
    for (const core::Field& field : kSettings.fields)
        if (field.info.reloadable) core::write(field, &result, core::read(field, &after));
    return result;
}

}  // namespace evertick::config
