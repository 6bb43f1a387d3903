#pragma once
// A handle to an entity: which slot (index) and which tenant of that slot (generation), in one integer. It
// is a plain number: copying it costs nothing, holding it keeps nothing alive, and only a registry can say
// whether it is still valid.
//
//     raw == generation << index bits | index
//
// Invariant: the null handle is all ones, is what a handle is by default, and equals no entity ever made.
// Order:     by generation, then index: any total order will do for a key; walk entities by index instead.
// Thread safety: a value.

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/schema.hpp"
#include "core/verify.hpp"

namespace evertick::ecs {

// 32-bit handles hold a million entities, and a slot wears out after 4,096 tenants: minutes of churn. 64-bit
// ones, which the server uses, do not wear out. The narrow ones do at once, which is what tests want.
template <std::unsigned_integral T>
inline constexpr unsigned kDefaultGenerationBits = sizeof(T) == 8   ? 32
                                                   : sizeof(T) == 4 ? 12
                                                                    : 4;

template <std::unsigned_integral T, unsigned GenerationBits = kDefaultGenerationBits<T>>
struct BasicEntity {
    using Raw = T;
    static constexpr unsigned kGenerationBits = GenerationBits;
    static constexpr unsigned kIndexBits = std::numeric_limits<Raw>::digits - GenerationBits;
    static_assert(0 < kGenerationBits && kGenerationBits <= 32 && 0 < kIndexBits && kIndexBits <= 32);

    // All index bits set belongs to null; the largest index an entity can have is one less.
    static constexpr std::uint32_t kNullIndex = std::numeric_limits<std::uint32_t>::max() >>
                                                (32 - kIndexBits);
    static constexpr std::uint32_t kMaxGeneration = std::numeric_limits<std::uint32_t>::max() >>
                                                    (32 - kGenerationBits);
    static const BasicEntity null;

    Raw raw = std::numeric_limits<Raw>::max();

    // requires: both fit their bits (verified)
    static constexpr BasicEntity from(std::uint32_t index, std::uint32_t generation) {
        core::verify(index <= kNullIndex && generation <= kMaxGeneration, "BasicEntity::from: too large");
        return {static_cast<Raw>(static_cast<Raw>(generation) << kIndexBits | static_cast<Raw>(index))};
    }
    constexpr std::uint32_t index() const { return static_cast<std::uint32_t>(raw & kNullIndex); }
    constexpr std::uint32_t generation() const { return static_cast<std::uint32_t>(raw >> kIndexBits); }

    constexpr auto operator<=>(const BasicEntity&) const = default;
};

template <std::unsigned_integral T, unsigned GenerationBits>
inline constexpr BasicEntity<T, GenerationBits> BasicEntity<T, GenerationBits>::null{};

using Entity = BasicEntity<std::uint64_t>;

// --- text form: "index:generation", or "none" for null
// ------------------------------------------------------

template <std::unsigned_integral T, unsigned GenerationBits>
void append_text(std::string& out, BasicEntity<T, GenerationBits> entity) {
    const bool is_null = entity == entity.null;
    core::append_handle(
        out, is_null ? core::Handle{} : core::Handle{Entity::from(entity.index(), entity.generation()).raw});
}

template <std::unsigned_integral T, unsigned GenerationBits>
std::string to_text(BasicEntity<T, GenerationBits> entity) {
    std::string text;
    append_text(text, entity);
    return text;
}

// The inverse; the raw integer of a 64-bit handle is accepted too. Nothing when it is none of them, or does
// not fit E. It need not be the handle of anything.
template <class E = Entity>
std::optional<E> parse_entity(std::string_view text) {
    const std::optional<core::Handle> handle = core::parse_handle(text);
    if (!handle) return std::nullopt;
    if (*handle == core::Handle{}) return E::null;
    const Entity wide{handle->raw};
    if (wide.index() > E::kNullIndex || wide.generation() > E::kMaxGeneration) return std::nullopt;
    return E::from(wide.index(), wide.generation());
}

}  // namespace evertick::ecs

template <std::unsigned_integral T, unsigned GenerationBits>
struct std::hash<evertick::ecs::BasicEntity<T, GenerationBits>> {
    std::size_t operator()(evertick::ecs::BasicEntity<T, GenerationBits> entity) const noexcept {
        return std::hash<T>{}(entity.raw);
    }
};

// A component may have entities among its fields.
template <>
struct evertick::core::FieldTraits<evertick::ecs::Entity> {
    static_assert(sizeof(ecs::Entity) == sizeof(Handle) && std::is_trivially_copyable_v<ecs::Entity> &&
                  std::is_standard_layout_v<ecs::Entity>);
    static constexpr Kind kind = Kind::handle;
    using Words = ecs::Entity;
};
