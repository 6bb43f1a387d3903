#pragma once
// What is measured: ways to get memory, in one shape, each called as its users call it.
//
//     Subject subject;                      // once
//     typename Subject::Round round(subject);
//     void* p = round.allocate(bytes);
//     round.free(p, bytes);                 // nothing for an arena: the end of the round does it
//
// A general-purpose allocator is its own round; it may free on another thread, and has besides
//     tick(now)   what a server does every tick: lets it give back what is idle, if it wants to be asked
//     trim()      gives back all it can

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "core/mem_stack.hpp"
#include "tests/bench/core/bump.hpp"

namespace evertick::bench {

using TimePoint = std::chrono::steady_clock::time_point;

// Asks whichever malloc this process runs with to give back all it can.
void trim_malloc();

// malloc and free of glibc, or of the library preloaded.
struct Malloc {
    using Round = Malloc;
    void* allocate(std::size_t size_bytes) { return std::malloc(size_bytes); }
    void free(void* memory, std::size_t) { std::free(memory); }
    void tick(TimePoint) {}
    void trim() { trim_malloc(); }
};

// The same library by operator new and sized delete, as standard containers call it.
struct SizedNew : Malloc {
    using Round = SizedNew;
    void* allocate(std::size_t size_bytes) { return ::operator new(size_bytes); }
    void free(void* memory, std::size_t size_bytes) { ::operator delete(memory, size_bytes); }
};

struct OnMemStack {
    class Round {
      public:
        explicit Round(OnMemStack& subject) : stack_(subject.stack), mark_(stack_) {}
        [[gnu::always_inline]] ~Round() {}  // as the mark's own
        void* allocate(std::size_t size_bytes) { return stack_.allocate(size_bytes); }
        void free(void*, std::size_t) {}

      private:
        core::MemStack& stack_;
        core::MemMark mark_;
    };
    core::MemStack& stack = core::MemStack::this_thread();
};

struct OnBump {
    class Round {
      public:
        explicit Round(OnBump& subject) : bump_(subject.bump), begin_(bump_.top()) {}
        ~Round() { bump_.reset(begin_); }
        Round(const Round&) = delete;
        Round& operator=(const Round&) = delete;
        void* allocate(std::size_t size_bytes) { return bump_.allocate(size_bytes); }
        void free(void*, std::size_t) {}

      private:
        Bump& bump_;
        std::byte* begin_;
    };
    Bump bump;
};

}  // namespace evertick::bench
