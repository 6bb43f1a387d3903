#pragma once
// The sizes of cell that BinnedAllocator cuts its 64 KiB pages into, one bin each: steps of 16 bytes up to
// 128, an eighth of a power of two up to 1 KiB, then what divides a page into 63, 62, 61 ... cells with
// little left over. A request wastes 6 % of its cell on average, from 1 to 2 KiB, where a crowd's bytes
// mostly are, 1 %; a page wastes less than 3 % of itself.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace evertick::core {

inline constexpr std::size_t kCellAlignment = 16;  // of every cell; a larger one picks its bin by it
inline constexpr std::size_t kBinPageBytes = 65536;
inline constexpr std::size_t kKernelPageBytes = 4096;  // what memory is given back in
inline constexpr std::size_t kKernelPages = kBinPageBytes / kKernelPageBytes;

namespace detail {

inline constexpr std::size_t kMaxBins = 128;
inline constexpr std::array<std::size_t, 15> kCellsPerPageOfLargeBins{28, 24, 20, 18, 16, 14, 12, 10,
                                                                      9,  8,  7,  6,  5,  4,  2};

constexpr std::size_t fill_cell_sizes(std::array<std::uint32_t, kMaxBins>& sizes) {
    std::size_t count = 0;
    const auto add = [&](std::size_t size) { sizes[count++] = static_cast<std::uint32_t>(size); };
    for (std::size_t size = 16; size <= 128; size += 16) add(size);
    for (std::size_t power = 128; power < 1024; power *= 2)
        for (std::size_t size = power + power / 8; size <= 2 * power; size += power / 8) add(size);
    for (std::size_t cells = 63; cells >= 32; --cells)
        add(kBinPageBytes / cells / kCellAlignment * kCellAlignment);
    for (const std::size_t cells : kCellsPerPageOfLargeBins)
        add(kBinPageBytes / cells / 64 * 64);  // chunks are aligned to a cache line
    return count;
}

constexpr std::size_t count_cell_sizes() {
    std::array<std::uint32_t, kMaxBins> sizes{};
    return fill_cell_sizes(sizes);
}

}  // namespace detail

inline constexpr std::size_t kBins = detail::count_cell_sizes();

// In bytes, ascending.
inline constexpr std::array<std::uint32_t, kBins> kCellBytes = [] {
    std::array<std::uint32_t, detail::kMaxBins> all{};
    detail::fill_cell_sizes(all);
    std::array<std::uint32_t, kBins> sizes{};
    std::copy_n(all.begin(), kBins, sizes.begin());
    return sizes;
}();
inline constexpr std::size_t kLargestCellBytes = kCellBytes.back();

constexpr std::size_t cells_per_page(std::size_t bin) { return kBinPageBytes / kCellBytes[bin]; }

namespace detail {

inline constexpr auto kBinOfUnits = [] {  // by the size in units of kCellAlignment, rounded up
    std::array<std::uint8_t, kLargestCellBytes / kCellAlignment + 1> bins{};
    std::size_t bin = 0;
    for (std::size_t units = 0; units < bins.size(); ++units) {
        while (kCellBytes[bin] < units * kCellAlignment) ++bin;
        bins[units] = static_cast<std::uint8_t>(bin);
    }
    return bins;
}();

// Reciprocals, so that the number of a cell needs no division: exact for every offset within a page.
inline constexpr std::array<std::uint32_t, kBins> kReciprocals = [] {
    std::array<std::uint32_t, kBins> values{};
    for (std::size_t bin = 0; bin < kBins; ++bin)
        values[bin] =
            static_cast<std::uint32_t>(((std::uint64_t{1} << 32U) + kCellBytes[bin] - 1) / kCellBytes[bin]);
    return values;
}();

}  // namespace detail

// The bin with the smallest cells that hold `size_bytes`. requires: size_bytes <= kLargestCellBytes
constexpr std::size_t bin_for(std::size_t size_bytes) {
    return detail::kBinOfUnits[(size_bytes + kCellAlignment - 1) / kCellAlignment];
}

// The same for cells that all lie on a multiple of `alignment`; kBins when there is none.
constexpr std::size_t bin_for(std::size_t size_bytes, std::size_t alignment) {
    if (size_bytes > kLargestCellBytes) return kBins;
    std::size_t bin = bin_for(size_bytes);
    while (bin < kBins && kCellBytes[bin] % alignment != 0) ++bin;
    return bin;
}

// Which cell of its page an offset lies in. requires: offset_bytes < kBinPageBytes
constexpr std::size_t cell_at(std::size_t bin, std::size_t offset_bytes) {
    return offset_bytes * detail::kReciprocals[bin] >> 32U;
}

}  // namespace evertick::core
