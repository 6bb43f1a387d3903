#include "server/world/hash_stream.hpp"

#define XXH_INLINE_ALL  // no library to install where the server runs
#include <xxhash.h>

namespace evertick::world {

void HashStream::add(std::string_view text) {
    add(std::uint64_t{text.size()});
    for (const char c : text) add(&c, 1);
}

std::uint64_t HashStream::value() {
    close_block();
    return seed_;
}

void HashStream::close_block() {
    seed_ = XXH3_64bits_withSeed(block_.data(), filled_, seed_);
    filled_ = 0;
}

}  // namespace evertick::world
