#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <thread>

namespace evertick::bench {

// One thread allocates, another frees: batches of objects go over a small ring. It is what a session's thread
// does with what the tick's thread made for it.
template <class Subject>
class HandOver {
  public:
    static constexpr std::size_t kObjectBytes = 256;
    static constexpr std::size_t kBatch = 256;  // objects

    explicit HandOver(Subject& subject) : subject_(subject), consumer_([this] { consume(); }) {}
    // Waits until all is freed.
    ~HandOver() { stopping_.store(true, std::memory_order_release); }
    HandOver(const HandOver&) = delete;
    HandOver& operator=(const HandOver&) = delete;

    // Allocates a batch and hands it over; waits while the ring is full.
    void produce() {
        const std::size_t number = produced_.load(std::memory_order_relaxed);
        while (number - consumed_.load(std::memory_order_acquire) == kSlots) std::this_thread::yield();
        for (void*& object : ring_[number % kSlots]) {
            object = subject_.allocate(kObjectBytes);
            std::memset(object, 1, sizeof(void*));
        }
        produced_.store(number + 1, std::memory_order_release);
    }

  private:
    static constexpr std::size_t kSlots = 8;

    void consume() {
        for (std::size_t number = 0;; ++number) {
            while (produced_.load(std::memory_order_acquire) == number) {
                // Read in this order: nothing is produced after stopping_.
                if (stopping_.load(std::memory_order_acquire) && produced_.load() == number) return;
                std::this_thread::yield();
            }
            for (void* const object : ring_[number % kSlots]) subject_.free(object, kObjectBytes);
            consumed_.store(number + 1, std::memory_order_release);
        }
    }

    Subject& subject_;
    std::array<std::array<void*, kBatch>, kSlots> ring_{};
    alignas(64) std::atomic<std::size_t> produced_ = 0;  // batches
    alignas(64) std::atomic<std::size_t> consumed_ = 0;
    std::atomic<bool> stopping_ = false;
    std::jthread consumer_;  // the last member: joined before the others go
};

}  // namespace evertick::bench
