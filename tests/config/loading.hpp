#pragma once
// Loading settings in tests: arguments and environment as lists, the file as a text.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "config/load.hpp"

namespace evertick::config::test {

using Words = std::vector<std::string>;

inline core::Result<Loaded> load_words(const Words& arguments, const Words& environment = {}) {
    std::vector<const char*> argument_list, environment_list;
    for (const std::string& word : arguments) argument_list.push_back(word.c_str());
    for (const std::string& entry : environment) environment_list.push_back(entry.c_str());
    return load(argument_list, environment_list);
}

// The settings, or a failed test.
inline Loaded loaded(const Words& arguments, const Words& environment = {}) {
    auto result = load_words(arguments, environment);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return result.value_or(Loaded{});
}

// The error, or "accepted"; always one line.
inline std::string error_of(const Words& arguments, const Words& environment = {}) {
    const auto result = load_words(arguments, environment);
    if (result) return "accepted";
    EXPECT_EQ(result.error().message.find('\n'), std::string::npos) << result.error().message;
    return result.error().message;
}

// A file that is gone with the object.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string_view text) {
        std::string pattern = (std::filesystem::temp_directory_path() / "evertick-XXXXXX").string();
        close(mkstemp(pattern.data()));
        path_ = pattern;
        std::ofstream(path_, std::ios::binary) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace evertick::config::test
