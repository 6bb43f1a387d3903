#pragma once
// RapidJSON as the oracle of what is valid JSON. Its SAX reader only: the 1.1.0 document.h does not compile
// with clang 19.

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evertick::test {

struct JsonStrings : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonStrings> {
    bool String(const char* text, rapidjson::SizeType size_bytes, bool) {
        found.emplace_back(text, size_bytes);
        return true;
    }
    bool Key(const char* text, rapidjson::SizeType size_bytes, bool copy) {
        return String(text, size_bytes, copy);
    }

    std::vector<std::string> found;
};

// Every key and string of a JSON text in order, unescaped; nothing when it is not valid.
inline std::optional<std::vector<std::string>> read_json(std::string_view text) {
    rapidjson::MemoryStream stream(text.data(), text.size());
    rapidjson::Reader reader;
    JsonStrings strings;
    if (!reader.Parse<rapidjson::kParseValidateEncodingFlag>(stream, strings)) return std::nullopt;
    return std::move(strings.found);
}

}  // namespace evertick::test
