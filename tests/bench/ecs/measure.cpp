#include "tests/bench/ecs/measure.hpp"

#include <malloc.h>

#include <cstdio>

#include "tests/bench/core/arguments.hpp"

namespace evertick::bench {

int run_at_scale(int argc, char** argv, void (*run)(const Scale&)) {
    const std::size_t entities = take_number(argc, argv, "--entities", 100'000);
    const std::size_t rounds = take_number(argc, argv, "--rounds", 5);
    if (argc > 1 || entities == 0 || rounds == 0) {
        std::fprintf(stderr, "usage: %s [--entities N] [--rounds N]\n", argv[0]);
        return 2;
    }
    run({.entities = entities, .rounds = static_cast<int>(rounds)});
    return 0;
}

void print_sample(std::string_view subject, std::string_view what, double figure, std::string_view unit) {
    const auto width = [](std::string_view text) { return static_cast<int>(text.size()); };
    std::printf(R"({"subject":"%.*s","what":"%.*s","figure":%.6g,"unit":"%.*s"})"
                "\n",
                width(subject), subject.data(), width(what), what.data(), figure, width(unit), unit.data());
}

void keep_heap() {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
}

}  // namespace evertick::bench
