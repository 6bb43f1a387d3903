#pragma once
// The few arguments these programs have, beside those of Google Benchmark.

#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace evertick::bench {

// Takes the argument `name`, and the one that follows, out of the list.
// Returns that value, or `otherwise`.
inline const char* take_argument(int& argc, char** argv, std::string_view name, const char* otherwise) {
    for (int i = 1; i + 1 < argc; ++i) {
        if (argv[i] != name) continue;
        const char* const value = argv[i + 1];
        for (int j = i; j + 2 <= argc; ++j) argv[j] = argv[j + 2];  // with the null at the end
        argc -= 2;
        return value;
    }
    return otherwise;
}

inline std::size_t take_number(int& argc, char** argv, std::string_view name, std::size_t otherwise) {
    const char* const text = take_argument(argc, argv, name, nullptr);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace evertick::bench
