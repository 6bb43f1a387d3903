#pragma once
// Confirms passwords one after the other on a thread of its own, which begins with the first. What comes out
// is fetched by whoever owns it, whom `finished` wakes.
//
// Thread-safe only as far as its own thread goes: the owner calls it from one. It ends with the check under
// way; the rest is dropped.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/access/password.hpp"

namespace evertick::access {

class HashThread {
  public:
    struct Checked {
        std::uint64_t ticket = 0;
        bool right = false;
    };

    // finished is called on the thread, after each check.
    explicit HashThread(std::function<void()> finished) : finished_(std::move(finished)) {}
    ~HashThread();
    HashThread(const HashThread&) = delete;
    HashThread& operator=(const HashThread&) = delete;

    // The owner bounds how many are under way.
    void check(std::uint64_t ticket, std::shared_ptr<const Password> password, std::string text);
    std::vector<Checked> take();  // those done since the last call

  private:
    struct Order {
        std::uint64_t ticket;
        std::shared_ptr<const Password> password;
        std::string text;
    };
    void work();

    std::function<void()> finished_;
    std::mutex mutex_;  // of what follows
    std::condition_variable changed_;
    std::deque<Order> orders_;
    std::vector<Checked> done_;
    bool ends_ = false;
    std::thread thread_;  // last: it uses the rest
};

}  // namespace evertick::access
