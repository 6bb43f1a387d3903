#pragma once
// Times, and the rows that scripts/bench reads.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evertick::bench {

class Samples {
  public:
    template <class Work>
    void time(Work work) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
        milliseconds_.push_back(spent.count());
    }
    double median() {
        const auto middle = milliseconds_.begin() + static_cast<std::ptrdiff_t>(milliseconds_.size() / 2);
        std::ranges::nth_element(milliseconds_, middle);
        return *middle;
    }

  private:
    std::vector<double> milliseconds_;
};

inline void print_row(const std::string& row, double figure, std::string_view unit,
                      std::optional<double> target = {}) {
    std::printf(R"({"row":"%s","figure":%.4g,"unit":"%.*s",)", row.c_str(), figure,
                static_cast<int>(unit.size()), unit.data());
    if (target)
        std::printf(R"("target":"<= %g","met":%s})", *target, figure <= *target ? "true" : "false");
    else
        std::printf(R"("target":null,"met":null})");
    std::printf("\n");
}

}  // namespace evertick::bench
