#pragma once
// BasicObserver: notes for which entities components of some types were added, changed or removed, until
// asked. It listens to the registry's signals.
//
//     Observer moved = Observer::of<Position>(registry);
//     ...
//     for (const Observer::Report& report : moved.drain())
//         if (registry.valid(report.entity) && report.has(Observer::kChanged)) ...
//
// Each handle is reported once, with all that happened to it since the last drain(), in the order in which
// they were first noted. The handle may have died since. What is patched or replaced counts as changed; what
// is written through a reference is not noticed.
//
// Lifetime: registry and observer may go in either order. A moved observer goes on observing; the one that is
//           left may only be assigned to or destroyed.
// Cost:     O(1) a change; allocates nothing once it has noted as much as it ever will.
// Errors:   running out of memory while noting ends the program.
// Threads:  as the standard containers, as part of the registry.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/chunked_array.hpp"
#include "ecs/paged_array.hpp"
#include "ecs/registry.hpp"
#include "ecs/signal.hpp"

namespace evertick::ecs {

template <class E>
class BasicObserver {
  public:
    // Bits of Report::changes.
    static constexpr std::uint8_t kAdded = 1;
    static constexpr std::uint8_t kChanged = 2;
    static constexpr std::uint8_t kRemoved = 4;

    struct Report {
        E entity;
        std::uint8_t changes = 0;
        bool has(std::uint8_t change) const { return (changes & change) != 0; }
        bool operator==(const Report&) const = default;
    };
    using Reports = core::ChunkedArray<Report, 4096>;

    // Observes the components of these types, from now on.
    template <class... Ts>
    static BasicObserver of(BasicRegistry<E>& registry) {
        static_assert(sizeof...(Ts) > 0, "an observer observes at least one type");
        BasicObserver observer;
        (observer.template connect<Ts>(registry), ...);
        return observer;
    }

    std::size_t size() const { return notes_->reports.size(); }
    bool empty() const { return size() == 0; }

    // What was noted since the last time, to be read until the next. What happens meanwhile is for the next.
    const Reports& drain() {
        for (const Report& report : notes_->reports) notes_->latest.writable(report.entity.index()) = kNone;
        drained_.clear();
        drained_.swap(notes_->reports);
        return drained_;
    }

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    // At a place of its own, for the listeners.
    struct Notes {
        Reports reports;
        PagedArray<std::uint32_t, kNone> latest;  // by index: the report of the last tenant noted

        void add(E entity, std::uint8_t change) {
            const std::uint32_t known = latest.find(entity.index());
            if (known != kNone && reports[known].entity == entity) {
                reports[known].changes |= change;
                return;
            }
            latest.make_page(latest.page_of(entity.index()));
            latest.writable(entity.index()) = static_cast<std::uint32_t>(reports.size());
            reports.push_back({.entity = entity, .changes = change});
        }
    };

    BasicObserver() = default;

    template <class T>
    void connect(BasicRegistry<E>& registry) {
        const auto note = [notes = notes_.get()](std::uint8_t change) {
            return [notes, change](BasicRegistry<E>&, E entity, const T&) { notes->add(entity, change); };
        };
        connections_.push_back(registry.template on_construct<T>().connect(note(kAdded)));
        connections_.push_back(registry.template on_update<T>().connect(note(kChanged)));
        connections_.push_back(registry.template on_destroy<T>().connect(note(kRemoved)));
    }

    std::unique_ptr<Notes> notes_ = std::make_unique<Notes>();
    Reports drained_;
    std::vector<Connection> connections_;  // last, so that nothing is noted when the rest is gone
};

using Observer = BasicObserver<Entity>;

}  // namespace evertick::ecs
