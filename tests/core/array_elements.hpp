#pragma once
// Kinds of elements an Array must treat differently, all counted by Tracked, for the tests of Array.

#include <compare>
#include <cstdint>
#include <memory>

#include "core/relocate.hpp"
#include "core/verify.hpp"
#include "tests/core/tracked.hpp"

namespace evertick::test {

// Owns through a pointer and says that its bytes may be copied to relocate it.
struct Boxed {
    std::unique_ptr<Tracked> box;

    explicit Boxed(int value = 0) : box(std::make_unique<Tracked>(value)) {}
    Boxed(const Boxed& other) : box(std::make_unique<Tracked>(*other.box)) {}
    Boxed(Boxed&&) noexcept = default;
    Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }
    Boxed& operator=(Boxed&&) noexcept = default;
    ~Boxed() = default;
};

// Points at itself: copying its bytes breaks it, and it aborts when it was.
struct SelfReferring : Tracked {
    const SelfReferring* self = this;

    explicit SelfReferring(int initial = 0) : Tracked(initial) {}
    SelfReferring(const SelfReferring& other) : Tracked(other) { other.check(); }
    SelfReferring(SelfReferring&& other) noexcept : Tracked(std::move(other)) { other.check(); }
    SelfReferring& operator=(const SelfReferring& other) {
        check();
        Tracked::operator=(other);
        return *this;
    }
    SelfReferring& operator=(SelfReferring&& other) noexcept {
        check();
        Tracked::operator=(std::move(other));
        return *this;
    }
    ~SelfReferring() { check(); }

    void check() const { core::verify(self == this, "SelfReferring: relocated by its bytes"); }
};

// Its move can throw as its copy does.
struct ThrowingMove : Tracked {
    explicit ThrowingMove(int initial = 0) : Tracked(initial) {}
    ThrowingMove(const ThrowingMove&) = default;
    ThrowingMove(ThrowingMove&& other) noexcept(false) : Tracked(std::as_const(other)) { other.value = -1; }
    ThrowingMove& operator=(const ThrowingMove&) = default;
    ThrowingMove& operator=(ThrowingMove&&) = default;
    ~ThrowingMove() = default;
};

// The same, without a copy.
struct ThrowingMoveOnly : ThrowingMove {
    using ThrowingMove::ThrowingMove;
    ThrowingMoveOnly(const ThrowingMoveOnly&) = delete;
    ThrowingMoveOnly(ThrowingMoveOnly&&) = default;
    ThrowingMoveOnly& operator=(const ThrowingMoveOnly&) = delete;
    ThrowingMoveOnly& operator=(ThrowingMoveOnly&&) = default;
    ~ThrowingMoveOnly() = default;
};

struct alignas(64) Wide {
    int value = 0;

    bool is_aligned() const { return reinterpret_cast<std::uintptr_t>(this) % 64 == 0; }
};

inline int value_of(int number) { return number; }
inline int value_of(const Tracked& element) { return element.value; }
inline int value_of(const Boxed& element) { return element.box->value; }
inline int value_of(const Wide& element) { return element.value; }

template <class T>
    requires requires(const T& element) { value_of(element); }
bool operator==(const T& a, const T& b) {
    return value_of(a) == value_of(b);
}

}  // namespace evertick::test

template <>
inline constexpr bool evertick::core::enable_memcpy_relocation<evertick::test::Boxed> = true;
