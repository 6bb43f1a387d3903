#pragma once
// What the event loop calls back. A wait or a posted turn keeps its target alive until it has been told.

#include <cstdint>
#include <memory>

namespace evertick::net {

enum class Wake : std::uint8_t {
    readable,  // or at its end, or broken: reading tells which
    writable,
    turn,  // asked for by EventLoop::post
};

class Wakeable : public std::enable_shared_from_this<Wakeable> {
  public:
    virtual ~Wakeable() = default;
    virtual void wake(Wake why) = 0;
};

}  // namespace evertick::net
