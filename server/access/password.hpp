#pragma once
// The password of one user, as its file gives it: one line, the password itself or its hash,
// "$argon2id$v=19$m=19456,t=2,p=1$...". Never kept as text.
//
// Checking against an Argon2 hash takes tens of milliseconds on purpose, more than a tick can wait: match()
// says `unknown` then, and whoever asked has confirm() do it on another thread. A password that was right
// once, and one whose file holds the password itself, is known by a keyed fingerprint (BLAKE2b, a random key
// for each Password): a microsecond. All comparisons take the same time wherever the texts differ.
// Thread-safe: const members from any thread.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace evertick::access {

enum class Match : std::uint8_t { yes, no, unknown };

class Password {
  public:
    static constexpr std::size_t kMaxBytes = 1024;  // of the file's line

    // errors: BADARG: empty, too long, more than one line, a hash of another kind
    static core::Result<Password> parse(std::string_view text);

    // cost: a microsecond
    Match match(std::string_view text) const;
    // Checks against the hash. cost: tens of milliseconds, 19 MiB. False without a hash.
    bool confirm(std::string_view text) const;
    // From now on match() knows this text. requires: confirm(text)
    void remember(std::string_view text) { fingerprint_ = fingerprint(text); }

  private:
    using Bytes = std::array<unsigned char, 32>;

    Password();
    Bytes fingerprint(std::string_view text) const;

    std::string hash_;  // empty: the file held the password
    Bytes key_{};
    std::optional<Bytes> fingerprint_;
};

// The password in a file. errors: ERR, BADARG: name the setting and the file
core::Result<Password> read_password(std::string_view setting, const std::string& path);

// The line for a password file. requires: !text.empty()
// errors: BADARG (too long, more than one line), OOM     cost: as confirm()
core::Result<std::string> password_hash(std::string_view text);

// Overwrites what must not stay in memory.
void wipe(std::string& text);

}  // namespace evertick::access
