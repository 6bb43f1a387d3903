#pragma once
// The bytes a client has sent and nobody has used up yet: the socket fills them in at the back, the parser
// uses them up at the front. Contiguous, not a ring: the words of a request are views into it.
//
// invariant: begin <= end <= capacity; capacity is 0 or a power of two
// cost:      amortised O(1) per byte: bytes move only when as many were used up before, or when the size
//            of the buffer at least doubles or falls to a quarter
// Not thread-safe.

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace evertick::protocol {

class InputBuffer {
  public:
    // What it may go on holding while there is nothing in it.
    static constexpr std::size_t kIdleBytes = std::size_t{16} << 10;

    // Exactly `wanted` bytes (at least 1) to write into, after those it holds; then commit how many came. The
    // views point into the bytes it holds, and are put right when those move; all others are void after it.
    std::span<char> prepare(std::size_t wanted, std::span<std::string_view> views = {});
    // requires: count <= the size of the last prepare (verified)
    void commit(std::size_t count);

    std::span<char> bytes() { return {storage_.get() + begin_, size()}; }
    std::span<const char> bytes() const { return {storage_.get() + begin_, size()}; }
    std::size_t size() const { return end_ - begin_; }
    bool empty() const { return begin_ == end_; }

    // Uses up the first bytes. They stay where they are until the next prepare or release.
    // requires: count <= size() (verified)
    void consume(std::size_t count);

    // Gives back a large buffer that holds nothing; otherwise does nothing.
    void release_if_idle();

    std::size_t capacity() const { return capacity_; }
    void check_invariants() const;

  private:
    bool is_far_too_large(std::size_t needed) const {
        return capacity_ > kIdleBytes && needed <= capacity_ / 4;
    }
    void reallocate(std::size_t capacity, std::span<std::string_view> views);
    void move_to(char* target, std::span<std::string_view> views);

    std::unique_ptr<char[]> storage_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t prepared_ = 0;  // what may still be committed
};

}  // namespace evertick::protocol
