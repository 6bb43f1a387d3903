#pragma once
// ScopedFlag: true for as long as the scope lasts, however it is left.

namespace evertick::ecs {

class ScopedFlag {
  public:
    explicit ScopedFlag(bool& flag) : flag_(flag) { flag_ = true; }
    ScopedFlag(const ScopedFlag&) = delete;
    ScopedFlag& operator=(const ScopedFlag&) = delete;
    ~ScopedFlag() { flag_ = false; }

  private:
    bool& flag_;
};

}  // namespace evertick::ecs
