#pragma once
// IntrusiveOptional<T>: a T or nothing, in no more room than a T. There is no flag: T itself has a state that
// no T in use ever has, and that state means "nothing".
//
//     IntrusiveOptional<ChunkedArray<int>> found;           // as large as the array alone
//     if (found) use(*found);
//
// Only for types that offer such a state; std::optional is for all others. A type offers it with two members
// that only IntrusiveOptional can call, since nobody else can make an UnsetState:
//
//     explicit T(UnsetState) noexcept;                      // the unset state; must own nothing:
//     bool is_unset(UnsetState) const noexcept;             // it is overwritten without being destroyed
//
// Semantics are those of std::optional, also in this: moving from one leaves it holding a moved-from T.
// Errors:  the value of an unset one is our bug and aborts (verify, in every build).
//          A constructor that throws in emplace leaves it unset. Threads: as T.

#include <concepts>
#include <memory>
#include <optional>  // std::nullopt
#include <type_traits>
#include <utility>

#include "core/verify.hpp"

namespace evertick::core {

// The key to a type's unset state.
class UnsetState {
    template <class T>
    friend class IntrusiveOptional;
    explicit constexpr UnsetState() = default;
};

template <class T>
class IntrusiveOptional {
  public:
    using value_type = T;

    IntrusiveOptional() noexcept : value_(UnsetState()) {}
    IntrusiveOptional(std::nullopt_t) noexcept : IntrusiveOptional() {}
    IntrusiveOptional(const T& value)
        requires std::is_copy_constructible_v<T>
        : value_(value) {}
    IntrusiveOptional(T&& value) noexcept(std::is_nothrow_move_constructible_v<T>)
        : value_(std::move(value)) {}
    IntrusiveOptional(const IntrusiveOptional& other)
        requires std::is_copy_constructible_v<T>
        : IntrusiveOptional() {
        if (other) emplace(*other);
    }
    IntrusiveOptional(IntrusiveOptional&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
        : IntrusiveOptional() {
        if (other) emplace(std::move(*other));
    }
    IntrusiveOptional& operator=(const IntrusiveOptional& other)
        requires std::is_copy_constructible_v<T>
    {
        if (this != &other) *this = IntrusiveOptional(other);  // the copy first: it may throw
        return *this;
    }
    IntrusiveOptional& operator=(IntrusiveOptional&& other) noexcept(
        std::is_nothrow_move_constructible_v<T>) {
        if (this == &other) return *this;
        IntrusiveOptional taken(std::move(other));  // first: `other` may be in the value that goes
        reset();
        if (taken) emplace(std::move(*taken));
        return *this;
    }
    ~IntrusiveOptional() {
        if (has_value()) std::destroy_at(&value_);
    }

    bool has_value() const noexcept { return !value_.is_unset(UnsetState()); }
    explicit operator bool() const noexcept { return has_value(); }

    // requires: has_value() (verified)
    T& operator*() {
        verify(has_value(), "IntrusiveOptional: it holds no value");
        return value_;
    }
    const T& operator*() const {
        verify(has_value(), "IntrusiveOptional: it holds no value");
        return value_;
    }
    T* operator->() { return std::addressof(**this); }
    const T* operator->() const { return std::addressof(**this); }

    // Destroys the value, if there is one, and makes another. The arguments must not refer to the old one.
    template <class... Args>
    T& emplace(Args&&... args) {
        reset();
        try {
            return *std::construct_at(&value_, std::forward<Args>(args)...);
        } catch (...) {
            std::construct_at(&value_, UnsetState());
            throw;
        }
    }
    void reset() noexcept {
        if (!has_value()) return;
        std::destroy_at(&value_);
        std::construct_at(&value_, UnsetState());
    }

    // Aborts unless the invariants of its value, if there is one, hold. cost: as T's
    void check_invariants() const
        requires requires(const T& value) { value.check_invariants(); }
    {
        if (has_value()) value_.check_invariants();
    }

    friend bool operator==(const IntrusiveOptional& a, const IntrusiveOptional& b)
        requires std::equality_comparable<T>
    {
        return a && b ? *a == *b : a.has_value() == b.has_value();
    }
    friend bool operator==(const IntrusiveOptional& a, std::nullopt_t) noexcept { return !a.has_value(); }

  private:
    union {  // so that an unset T is not destroyed
        T value_;
    };
};

}  // namespace evertick::core
