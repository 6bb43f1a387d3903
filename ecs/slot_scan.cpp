#include "ecs/slot_scan.hpp"

#include <algorithm>

namespace evertick::ecs {
namespace {

constexpr std::size_t kStride = 16;  // compared at once, as vectors are

}  // namespace

std::size_t count_equal(std::span<const SparseSet::Index> a, std::span<const SparseSet::Index> b) {
    const std::size_t size = std::min(a.size(), b.size());
    std::size_t count = 0;
    for (; count + kStride <= size; count += kStride) {
        SparseSet::Index different = 0;
        for (std::size_t i = 0; i < kStride; ++i) different |= a[count + i] ^ b[count + i];
        if (different != 0) break;
    }
    while (count < size && a[count] == b[count]) ++count;
    return count;
}

std::size_t count_unmarked(std::span<const SparseSet::Index> slots) {
    std::size_t count = 0;
    for (; count + kStride <= slots.size(); count += kStride) {
        SparseSet::Index any = 0;
        for (std::size_t i = 0; i < kStride; ++i) any |= slots[count + i];
        if (any >= SparseSet::kMark) break;
    }
    while (count < slots.size() && slots[count] < SparseSet::kMark) ++count;
    return count;
}

}  // namespace evertick::ecs
