#pragma once
// HashStream: one 64-bit number over a sequence of plain values, the same on every compiler, level and
// little-endian machine. It takes values, never structs: bytes between members have no say. Not for secrets.
//
//     HashStream hash;
//     hash.add(entity.raw);
//     hash.add(tick);
//     hash.value();
//
// cost: add() is O(1); no allocation. Not thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace evertick::world {

class HashStream {
  public:
    void add(std::uint64_t value) { add(&value, sizeof value); }
    void add(std::string_view text);
    // The bytes of one value: 1, 2, 4 or 8 of them.
    void add(const void* value, std::size_t size_bytes) {
        if (size_bytes > kBlockBytes - filled_) [[unlikely]]
            close_block();
        std::memcpy(block_.data() + filled_, value, size_bytes);
        filled_ += size_bytes;
    }

    // Of what was added so far; nothing may be added after it.
    std::uint64_t value();

  private:
    static constexpr std::size_t kBlockBytes = 4096;

    // Each block's hash is the seed of the next one's.
    void close_block();

    std::array<std::byte, kBlockBytes> block_;
    std::size_t filled_ = 0;
    std::uint64_t seed_ = 0;
};

}  // namespace evertick::world
