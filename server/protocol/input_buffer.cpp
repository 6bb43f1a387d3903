#include "server/protocol/input_buffer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/verify.hpp"

namespace evertick::protocol {

std::span<char> InputBuffer::prepare(std::size_t wanted, std::span<std::string_view> views) {
    prepared_ = std::max<std::size_t>(wanted, 1);
    const std::size_t needed = size() + prepared_;
    if (needed > capacity_ || is_far_too_large(needed)) {
        reallocate(std::bit_ceil(needed), views);
    } else if (prepared_ > capacity_ - end_) {
        // Moving more bytes than were used up since the last move would cost O(size) for every byte read.
        if (begin_ >= size())
            move_to(storage_.get(), views);
        else
            reallocate(2 * capacity_, views);
    }
    return {storage_.get() + end_, prepared_};
}

void InputBuffer::commit(std::size_t count) {
    core::verify(count <= prepared_, "InputBuffer::commit of more bytes than were prepared");
    prepared_ -= count;
    end_ += count;
}

void InputBuffer::consume(std::size_t count) {
    core::verify(count <= size(), "InputBuffer::consume of more bytes than it holds");
    begin_ += count;
}

void InputBuffer::release_if_idle() {
    if (!empty() || capacity_ <= kIdleBytes) return;
    storage_.reset();
    capacity_ = begin_ = end_ = prepared_ = 0;
}

void InputBuffer::reallocate(std::size_t capacity, std::span<std::string_view> views) {
    auto grown = std::make_unique_for_overwrite<char[]>(capacity);
    move_to(grown.get(), views);
    storage_ = std::move(grown);
    capacity_ = capacity;
}

void InputBuffer::move_to(char* target, std::span<std::string_view> views) {
    const char* const source = storage_.get() + begin_;
    for (std::string_view& view : views) view = {target + (view.data() - source), view.size()};
    if (!empty()) std::memmove(target, source, size());
    end_ -= begin_;
    begin_ = 0;
}

void InputBuffer::check_invariants() const {
    core::verify(begin_ <= end_ && end_ <= capacity_, "InputBuffer: begin <= end <= capacity");
    core::verify(end_ + prepared_ <= capacity_, "InputBuffer: what was prepared is within the capacity");
    core::verify(capacity_ == 0 || std::has_single_bit(capacity_), "InputBuffer: capacity is a power of two");
    core::verify((capacity_ == 0) == (storage_ == nullptr),
                 "InputBuffer: storage exists when there is capacity");
}

}  // namespace evertick::protocol
