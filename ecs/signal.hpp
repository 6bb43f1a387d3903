#pragma once
// Signal<Args...>: a list of listeners, called in the order in which they were connected.
// Connection: what keeps one of them connected; dropping it disconnects.
//
//     Signal<int> rang;
//     const Connection connection = rang.connect([](int times) {...});
//     rang.publish(2);
//
// While listeners are being called, at any depth of publishing:
//   - one that is disconnected is not called any more; it may be the one that runs
//   - one that is connected is not called yet
// What a listener captured is destructed when it is disconnected, or when the outermost publish() ends.
//
// Lifetime: signal and connection may go in either order. A moved signal takes its listeners along, and the
//           one moved from has none. A signal must not be moved or destroyed while it publishes.
// Cost:     publish() O(listeners), and allocates nothing; disconnecting O(listeners).
// Errors:   connect() throws std::bad_alloc, with nothing changed. A listener that throws ends the program.
// Threads:  as the standard containers; connections count as part of their signal.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <utility>

#include "core/verify.hpp"

namespace evertick::ecs {

// What a connection knows of its signal.
class AnyListeners {
  public:
    AnyListeners() = default;
    AnyListeners(const AnyListeners&) = delete;
    AnyListeners& operator=(const AnyListeners&) = delete;
    virtual ~AnyListeners() = default;
    virtual void disconnect(std::uint64_t number) = 0;
    virtual bool is_connected(std::uint64_t number) const = 0;
};

class [[nodiscard]] Connection {
  public:
    Connection() = default;  // to nothing
    Connection(std::weak_ptr<AnyListeners> listeners, std::uint64_t number)
        : listeners_(std::move(listeners)), number_(number) {}
    Connection(Connection&&) noexcept = default;
    Connection& operator=(Connection&& other) noexcept {
        Connection(std::move(other)).swap(*this);
        return *this;
    }
    ~Connection() { disconnect(); }
    void swap(Connection& other) noexcept {
        listeners_.swap(other.listeners_);
        std::swap(number_, other.number_);
    }

    void disconnect() {
        if (const auto listeners = std::exchange(listeners_, {}).lock()) listeners->disconnect(number_);
    }
    bool is_connected() const {
        const auto listeners = listeners_.lock();
        return listeners != nullptr && listeners->is_connected(number_);
    }

  private:
    std::weak_ptr<AnyListeners> listeners_;
    std::uint64_t number_ = 0;
};

// The listeners of one signal, numbered in the order of connecting.
template <class... Args>
class Listeners final : public AnyListeners {
  public:
    using Listener = std::move_only_function<void(Args...)>;

    std::size_t size() const { return connected_count_; }
    bool is_connected(std::uint64_t number) const override {
        return std::ranges::any_of(
            entries_, [number](const Entry& entry) { return entry.number == number && entry.is_connected; });
    }

    std::uint64_t connect(Listener listener) {
        entries_.push_back({next_number_, std::move(listener)});
        ++connected_count_;
        return next_number_++;
    }
    void disconnect(std::uint64_t number) override {
        const auto entry = std::ranges::find(entries_, number, &Entry::number);
        if (entry == entries_.end() || !entry->is_connected) return;
        entry->is_connected = false;
        --connected_count_;
        if (publishing_ == 0) drop_disconnected();
    }
    void publish(Args... args) noexcept {
        const std::uint64_t end = next_number_;
        ++publishing_;
        for (Entry& entry : entries_) {
            if (entry.number >= end) break;
            if (entry.is_connected) entry.listener(args...);
        }
        if (--publishing_ == 0) drop_disconnected();
    }

  private:
    struct Entry {
        std::uint64_t number;
        Listener listener;
        bool is_connected = true;
    };

    void drop_disconnected() {
        if (entries_.size() == connected_count_) return;
        std::list<Entry> dropped;  // destructed last: what it captured may be connections to this very signal
        for (auto entry = entries_.begin(); entry != entries_.end();) {
            const auto next = std::next(entry);
            if (!entry->is_connected) dropped.splice(dropped.end(), entries_, entry);
            entry = next;
        }
    }

    std::list<Entry> entries_;  // whose elements stay in place while they run
    std::size_t connected_count_ = 0;
    std::uint64_t next_number_ = 0;
    std::uint32_t publishing_ = 0;  // how deep
};

template <class... Args>
class Signal {
  public:
    using Listener = typename Listeners<Args...>::Listener;

    Signal() = default;
    Signal(Signal&&) noexcept = default;
    Signal& operator=(Signal&&) noexcept = default;

    // requires: it can be called (verified)
    [[nodiscard]] Connection connect(Listener listener) {
        core::verify(static_cast<bool>(listener), "Signal::connect: the listener is empty");
        if (listeners_ == nullptr) listeners_ = std::make_shared<Listeners<Args...>>();
        const std::uint64_t number = listeners_->connect(std::move(listener));
        return Connection(listeners_, number);
    }
    std::size_t listener_count() const { return listeners_ != nullptr ? listeners_->size() : 0; }
    bool empty() const { return listener_count() == 0; }

    void publish(Args... args) const noexcept {
        if (listeners_ != nullptr) listeners_->publish(args...);
    }

  private:
    std::shared_ptr<Listeners<Args...>> listeners_;  // shared with connections, weakly
};

}  // namespace evertick::ecs
