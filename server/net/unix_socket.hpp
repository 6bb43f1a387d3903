#pragma once
// A unix socket to listen on, and its file, which appears with it and goes with it.

#include <sys/types.h>

#include <string>
#include <utility>

#include "core/result.hpp"
#include "server/net/socket.hpp"

namespace evertick::net {

// Removes the file when it goes, unless another has taken its place.
class UnixSocketFile {
  public:
    UnixSocketFile() = default;
    explicit UnixSocketFile(std::string path);  // that exists
    UnixSocketFile(UnixSocketFile&& other) noexcept { swap(other); }
    UnixSocketFile& operator=(UnixSocketFile&& other) noexcept {
        swap(other);
        return *this;
    }
    ~UnixSocketFile();

  private:
    void swap(UnixSocketFile& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(device_, other.device_);
        std::swap(inode_, other.inode_);
    }

    std::string path_;  // empty: none
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

struct UnixListening {
    Fd socket;
    UnixSocketFile file;
};

// Listens on path; permissions are those of its file (0600). A socket there that nobody listens on any more
// is replaced; any other file stays, and is an error, and so is one that somebody listens on.
// errors: ERR, naming path and reason
core::Result<UnixListening> open_unix_socket(const std::string& path, mode_t permissions);

}  // namespace evertick::net
