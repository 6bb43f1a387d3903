#include "server/world/spatial_order.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "server/world/bounds.hpp"
#include "server/world/components.hpp"

namespace evertick::world {
namespace {

constexpr std::size_t kPerCell = 8;    // entities, on average
constexpr std::size_t kCrowd = 64;     // a cell with more is dealt again
constexpr unsigned kMaxCellBits = 16;  // the counters of 2^16 cells fit the second-level cache
constexpr float kPointWidth = 1e-30F;  // m; what is smaller counts as one point, and its inverse stays finite

using CellNumber = std::uint16_t;
static_assert(kMaxCellBits <= 16);

// One axis of a grid: which part of a cell's number a coordinate decides.
struct Axis {
    float low = 0, cells_per_metre = 0, last = 0;
    std::span<const CellNumber> parts;  // by the cell along this axis

    // Also for what is outside, or no number.
    CellNumber part(float coordinate) const {
        const float cell = std::min(std::max(0.0F, (coordinate - low) * cells_per_metre), last);
        return parts[static_cast<std::size_t>(cell)];
    }
};

// Many cells are dealt in two rounds: what the first one writes stays within reach of the caches.
std::size_t cell_bits(std::size_t entities) {
    const auto bits = static_cast<std::size_t>(std::bit_width(entities / kPerCell));
    return bits <= kMaxCellBits ? bits : (bits + 1) / 2;
}

class Grid {
  public:
    // requires: a live mark for as long as the grid is used
    Grid(const Bounds& bounds, std::size_t entities, core::MemStack& scratch) {
        const auto width = [](float low, float high) { return std::max(0.0F, high - low); };
        const std::array widths{width(bounds.low.x, bounds.high.x), width(bounds.low.y, bounds.high.y),
                                width(bounds.low.z, bounds.high.z)};
        halve(widths, cell_bits(entities));
        x_ = axis(0, bounds.low.x, widths[0], scratch);
        y_ = axis(1, bounds.low.y, widths[1], scratch);
        z_ = axis(2, bounds.low.z, widths[2], scratch);
    }

    std::size_t cell_count() const { return std::size_t{1} << bits_; }
    CellNumber cell(const Vector3& place) const {
        return static_cast<CellNumber>(x_.part(place.x) | y_.part(place.y) | z_.part(place.z));
    }

  private:
    // Halves the widest side as often as wanted.
    void halve(std::array<float, 3> widths, std::size_t wanted) {
        while (bits_ < wanted) {
            const auto widest = std::ranges::max_element(widths);
            if (*widest <= kPointWidth) return;
            *widest /= 2;
            halved_[bits_++] = static_cast<std::uint8_t>(widest - widths.begin());
        }
    }

    // The first halving decides the highest bit of a cell's number.
    Axis axis(std::uint8_t number, float low, float width, core::MemStack& scratch) const {
        const auto halvings = std::ranges::count(std::span(halved_).first(bits_), number);
        const std::span parts = core::new_array<CellNumber>(scratch, std::size_t{1} << halvings);
        std::size_t made = 1;
        parts[0] = 0;
        for (unsigned bit = 0; bit < bits_; ++bit) {
            if (halved_[bits_ - 1 - bit] != number) continue;
            for (std::size_t i = 0; i < made; ++i)
                parts[made + i] = static_cast<CellNumber>(parts[i] | 1U << bit);
            made *= 2;
        }
        const auto cells = static_cast<float>(made);
        return {low, made > 1 ? cells / width : 0, cells - 1, parts};
    }

    Axis x_, y_, z_;
    unsigned bits_ = 0;
    std::array<std::uint8_t, kMaxCellBits> halved_{};  // which axis each halving halved
};

// Puts everyone that each(visit) visits, twice in the same order, cell by cell into out.
// Writes where each cell ends.
template <class Each>
void deal(Each each, const Grid& grid, std::span<std::uint32_t> ends, std::span<Placed> out,
          core::MemStack& scratch) {
    const core::MemMark mark(scratch);
    const std::span cells = core::new_array<CellNumber>(scratch, out.size());
    std::ranges::fill(ends, 0);
    std::size_t seen = 0;
    each([&](const Placed& placed) { ++ends[cells[seen++] = grid.cell(placed.place)]; });
    std::uint32_t begin = 0;
    for (std::uint32_t& end : ends) begin += std::exchange(end, begin);
    seen = 0;
    each([&](const Placed& placed) { out[ends[cells[seen++]]++] = placed; });
}

void deal_again(std::span<Placed> crowd, core::MemStack& scratch);

void deal_crowds_again(std::span<const std::uint32_t> ends, std::span<Placed> out, core::MemStack& scratch) {
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        if (end - begin > kCrowd) deal_again(out.subspan(begin, end - begin), scratch);
        begin = end;
    }
}

void deal_again(std::span<Placed> crowd, core::MemStack& scratch) {
    Bounds bounds;
    for (const Placed& placed : crowd) bounds.add(placed.place, placed.index);
    const core::MemMark mark(scratch);
    const Grid grid(bounds, crowd.size(), scratch);
    if (grid.cell_count() == 1) return;  // all in one point
    const std::span ends = core::new_array<std::uint32_t>(scratch, grid.cell_count());
    {
        const core::MemMark copy_mark(scratch);
        const std::span copy = core::new_array<Placed>(scratch, crowd.size());
        std::ranges::copy(crowd, copy.begin());
        deal([copy](auto visit) { std::ranges::for_each(copy, visit); }, grid, ends, crowd, scratch);
    }
    deal_crowds_again(ends, crowd, scratch);
}

}  // namespace

void order_spatially(const ecs::Registry& registry, std::span<Placed> out, core::MemStack& scratch) {
    const auto each = [&](auto visit) {
        registry.view<Position>().each([&](ecs::Entity entity, const Position& position) {
            visit(Placed{point(position), entity.index(), entity.generation()});
        });
    };
    Bounds bounds;
    each([&](const Placed& placed) { bounds.add(placed.place, placed.index); });
    const core::MemMark mark(scratch);
    const Grid grid(bounds, out.size(), scratch);
    const std::span ends = core::new_array<std::uint32_t>(scratch, grid.cell_count());
    deal(each, grid, ends, out, scratch);
    if (grid.cell_count() > 1) deal_crowds_again(ends, out, scratch);
}

}  // namespace evertick::world
