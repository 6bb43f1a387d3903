#include "server/net/unix_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/quote.hpp"

namespace evertick::net {
namespace {

std::unexpected<core::Error> cannot_listen(const std::string& path, const std::string& reason) {
    return core::failure(core::ErrorCode::err, "cannot listen on " + core::quote(path) + ": " + reason);
}

std::unexpected<core::Error> cannot_listen(const std::string& path, int errno_value) {
    return cannot_listen(path, std::generic_category().message(errno_value));
}

Fd new_socket() { return Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

// requires: it fits
sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(path, address.sun_path);
    return address;
}

// 0, or the errno of connecting: ECONNREFUSED when nobody listens.
int knock(const sockaddr_un& address) {
    const Fd probe = new_socket();
    if (!probe) return errno;
    return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0
                                                                                                    : errno;
}

core::Result<> remove_stale(const std::string& path, const sockaddr_un& address) {
    struct stat found{};
    if (::lstat(path.c_str(), &found) != 0) return {};  // bind() tells what else may be wrong
    if (!S_ISSOCK(found.st_mode)) return cannot_listen(path, "a file is there that is no socket");
    const int refused = knock(address);
    if (refused == 0 || refused == EAGAIN) return cannot_listen(path, "another server listens on it");
    if (refused != ECONNREFUSED) return cannot_listen(path, refused);
    if (::unlink(path.c_str()) != 0) return cannot_listen(path, errno);
    return {};
}

}  // namespace

UnixSocketFile::UnixSocketFile(std::string path) : path_(std::move(path)) {
    struct stat made{};
    if (::lstat(path_.c_str(), &made) != 0) path_.clear();
    device_ = made.st_dev;
    inode_ = made.st_ino;
}

UnixSocketFile::~UnixSocketFile() {
    struct stat found{};
    if (path_.empty() || ::lstat(path_.c_str(), &found) != 0) return;
    if (found.st_dev == device_ && found.st_ino == inode_) ::unlink(path_.c_str());
}

core::Result<UnixListening> open_unix_socket(const std::string& path, mode_t permissions) {
    if (path.size() >= sizeof(sockaddr_un::sun_path))
        return cannot_listen(path, "a socket's path has at most " +
                                       std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes");
    const sockaddr_un address = address_of(path);
    if (auto removed = remove_stale(path, address); !removed) return std::unexpected(removed.error());
    UnixListening listening{.socket = new_socket(), .file = {}};
    if (!listening.socket) return cannot_listen(path, errno);
    // Before bind(), so that the file is at no time open to more than these.
    ::fchmod(listening.socket.get(), permissions);
    if (::bind(listening.socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return cannot_listen(path, errno);
    listening.file = UnixSocketFile(path);
    // bind() took away what the umask does.
    if (::chmod(path.c_str(), permissions) != 0) return cannot_listen(path, errno);
    if (::listen(listening.socket.get(), kBacklog) != 0) return cannot_listen(path, errno);
    return listening;
}

}  // namespace evertick::net
