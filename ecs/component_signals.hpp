#pragma once
// ComponentSignals: what is published of the components of one type in one registry. A listener gets the
// registry, the entity and the component.
//
// Thread safety: as the standard containers.

#include <array>
#include <cstddef>

#include "ecs/pool.hpp"
#include "ecs/signal.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

template <class E>
class BasicRegistry;

enum class ComponentEvent : std::size_t {
    construct,  // it has been added
    update,     // it has been changed by the registry: patched or replaced
    destroy,    // it has been removed, and is destructed after the listeners have run
};

// The part that does not depend on T, for destroying an entity without knowing what it has.
template <class E>
class AnyComponentSignals {
  public:
    virtual ~AnyComponentSignals() = default;
    virtual bool is_heard(ComponentEvent event) const = 0;
    // requires: the pool is that of the type, and held
    virtual void publish(ComponentEvent event, BasicRegistry<E>& registry, E entity, AnyPool& pool,
                         SparseSet::Position position) = 0;
};

template <class E, class T>
class ComponentSignals final : public AnyComponentSignals<E> {
  public:
    using ComponentSignal = Signal<BasicRegistry<E>&, E, T&>;

    ComponentSignal& of(ComponentEvent event) { return signals_[static_cast<std::size_t>(event)]; }

    bool is_heard(ComponentEvent event) const override {
        return !signals_[static_cast<std::size_t>(event)].empty();
    }
    void publish(ComponentEvent event, BasicRegistry<E>& registry, E entity, AnyPool& pool,
                 SparseSet::Position position) override {
        of(event).publish(registry, entity, static_cast<Pool<T>&>(pool)[position]);
    }

  private:
    std::array<ComponentSignal, 3> signals_;  // by ComponentEvent
};

}  // namespace evertick::ecs
