#pragma once
// A strict JSON parser as the oracle of what is valid JSON, and valid UTF-8 within it.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evertick::test {

// Every key and string of a JSON text in order, unescaped; nothing when it is not valid.
inline std::optional<std::vector<std::string>> read_json(std::string_view text) {
    using nlohmann::json;
    std::vector<std::string> found;
    const auto note = [&found](int, json::parse_event_t event, const json& parsed) {
        const bool is_text = event == json::parse_event_t::key || event == json::parse_event_t::value;
        if (is_text && parsed.is_string()) found.push_back(parsed.get<std::string>());
        return true;
    };
    const bool throws = false;
    if (json::parse(text, note, throws).is_discarded()) return std::nullopt;
    return found;
}

}  // namespace evertick::test
