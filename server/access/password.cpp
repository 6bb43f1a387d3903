#include "server/access/password.hpp"

#include <sodium.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/quote.hpp"
#include "core/verify.hpp"

namespace evertick::access {
namespace {

using core::ErrorCode;
using core::failure;

// OWASP's first choice for Argon2id: 19 MiB, two passes.
constexpr unsigned long long kPasses = 2;
constexpr std::size_t kMemoryBytes = std::size_t{19} << 20;

void prepare_library() { core::verify(::sodium_init() >= 0, "libsodium finds no source of random numbers"); }

bool is_argon2_hash(const std::string& text) {
    return text.size() < crypto_pwhash_STRBYTES &&
           ::crypto_pwhash_str_needs_rehash(text.c_str(), kPasses, kMemoryBytes) >= 0;
}

core::Result<> check_line(std::string_view text) {
    if (text.empty()) return failure(ErrorCode::badarg, "there is no password in it");
    if (text.size() > Password::kMaxBytes)
        return failure(ErrorCode::badarg,
                       "a password has at most " + std::to_string(Password::kMaxBytes) + " bytes");
    if (text.contains('\n') || text.contains('\0'))
        return failure(ErrorCode::badarg, "a password is one line of text");
    return {};
}

std::string_view without_line_end(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
}

}  // namespace

Password::Password() {
    prepare_library();
    ::randombytes_buf(key_.data(), key_.size());
}

core::Result<Password> Password::parse(std::string_view text) {
    const std::string_view line = without_line_end(text);
    if (auto fits = check_line(line); !fits) return std::unexpected(fits.error());
    Password password;
    if (!line.starts_with('$')) {
        password.remember(line);
        return password;
    }
    password.hash_ = line;
    if (!is_argon2_hash(password.hash_))
        return failure(ErrorCode::badarg,
                       "a line that begins with $ is a hash, and this is none of Argon2; "
                       "evertick --hash-password makes one");
    return password;
}

Match Password::match(std::string_view text) const {
    const Bytes found = fingerprint(text);
    if (fingerprint_ && ::sodium_memcmp(found.data(), fingerprint_->data(), found.size()) == 0)
        return Match::yes;
    return hash_.empty() ? Match::no : Match::unknown;
}

bool Password::confirm(std::string_view text) const {
    return !hash_.empty() && ::crypto_pwhash_str_verify(hash_.c_str(), text.data(), text.size()) == 0;
}

Password::Bytes Password::fingerprint(std::string_view text) const {
    Bytes out;
    ::crypto_generichash(out.data(), out.size(), reinterpret_cast<const unsigned char*>(text.data()),
                         text.size(), key_.data(), key_.size());
    return out;
}

core::Result<Password> read_password(std::string_view setting, const std::string& path) {
    const std::string place = std::string(setting) + ": " + core::quote(path) + ": ";
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text(Password::kMaxBytes + 3, '\0');  // a line end, and one to see that there is more
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad())
        return failure(ErrorCode::err, place + (errno != 0 ? std::strerror(errno) : "cannot be read"));
    text.resize(static_cast<std::size_t>(file.gcount()));
    auto password = Password::parse(text);
    wipe(text);
    if (!password) return failure(password.error().code, place + password.error().message);
    return password;
}

core::Result<std::string> password_hash(std::string_view text) {
    if (auto fits = check_line(text); !fits) return std::unexpected(fits.error());
    prepare_library();
    std::array<char, crypto_pwhash_STRBYTES> out{};
    if (::crypto_pwhash_str(out.data(), text.data(), text.size(), kPasses, kMemoryBytes) != 0)
        return failure(ErrorCode::oom, "there is no memory to hash a password");
    return std::string(out.data());
}

void wipe(std::string& text) {
    ::sodium_memzero(text.data(), text.size());
    text.clear();
}

}  // namespace evertick::access
