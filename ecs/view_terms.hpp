#pragma once
// What a view is described with: the types its entities have, may have and must not have.
// Thread safety: nothing here has state, but Holds changes its pools.

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ecs/pool.hpp"

namespace evertick::ecs {

template <class... Ts>
struct Exclude {};

// Names what entities of a view must not have: registry.view<Position>(exclude<Frozen, Hidden>).
template <class... Ts>
inline constexpr Exclude<Ts...> exclude{};

// Names what they may have: registry.view<Position, Optional<const Velocity>>(). Its callbacks get a
// pointer, nullptr for an entity without.
template <class T>
struct Optional {};

// What a view makes of a type that it names.
template <class T>
struct ViewTerm {
    using Component = T;  // const, when it is only read
    using Value = T&;     // what callbacks are handed
    static constexpr bool kIsOptional = false;
};
template <class T>
struct ViewTerm<Optional<T>> {
    using Component = T;
    using Value = T*;
    static constexpr bool kIsOptional = true;
};
template <class T>
struct ViewTerm<const Optional<T>> : ViewTerm<Optional<const T>> {};

// The components that a run of entities have of one type, side by side.
template <class T>
struct Column {
    using Term = ViewTerm<T>;
    using Component = typename Term::Component;
    static constexpr bool kHasNoData = kIsTag<std::remove_const_t<Component>>;

    std::conditional_t<kHasNoData, SameForAll<Component>, Component*> first{};
    bool is_there = false;  // false only for an optional type

    typename Term::Value operator[](std::size_t i) const {
        if constexpr (Term::kIsOptional)
            return is_there ? &first[i] : nullptr;
        else
            return first[i];
    }
    // A tuple of the one span, of none for a tag.
    auto spans(std::size_t size) const {
        if constexpr (kHasNoData)
            return std::tuple();
        else
            return std::tuple(std::span(first, is_there ? size : 0));
    }
};

// Keeps the pools of a view as they are for the time of an iteration; see AnyPool::hold.
template <std::size_t N>
class Holds {
  public:
    explicit Holds(const std::array<AnyPool*, N>& pools) : pools_(pools) {
        for (AnyPool* pool : pools_)
            if (pool != nullptr) pool->hold();
    }
    Holds(Holds&& other) noexcept : pools_(std::exchange(other.pools_, {})) {}
    Holds& operator=(Holds&& other) noexcept {
        std::swap(pools_, other.pools_);
        return *this;
    }
    ~Holds() {
        for (AnyPool* pool : pools_)
            if (pool != nullptr) pool->release();
    }

  private:
    std::array<AnyPool*, N> pools_;
};

}  // namespace evertick::ecs
