#pragma once
// BasicCommandBuffer: changes to a registry, recorded now and made later, in the order of recording: from
// where the registry must not be changed, such as a walk over a const one on another thread.
//
//     CommandBuffer commands;
//     commands.destroy(wolf);
//     const CommandBuffer::Created bone = commands.create();
//     commands.emplace<Position>(bone, 1.0F, 2.0F);
//     commands.apply(registry);  // {.applied = 3, .skipped = 0}
//
// Entities are named by full handles, generation and all: what is stale by the time it is applied is skipped
// and counted, and never meets the slot's next tenant. Skipped too is adding what is there already, and
// removing what is not.
//
// What create() returns is a name for commands of the same buffer, until it is applied.
//
// Memory:  kept for the next round: nothing allocates once a buffer has been as full as it gets.
// Errors:  std::bad_alloc, or what a component's constructor throws: recording changes nothing then; applying
//          has dropped the command that failed, and goes on after it when called again.
// Threads: as the standard containers; one buffer a thread.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/chunked_array.hpp"
#include "core/verify.hpp"
#include "ecs/component_id.hpp"
#include "ecs/registry.hpp"
#include "ecs/scoped_flag.hpp"

namespace evertick::ecs {

template <class E>
class BasicCommandBuffer {
  public:
    // Names an entity that apply() will create.
    struct Created {
        std::uint32_t number;
        std::uint32_t round;
    };
    // What a command is for: an entity there is, or one of create() since the last apply().
    class Target {
      public:
        Target(E entity) : entity_(entity) {}           // NOLINT(google-explicit-constructor)
        Target(Created created) : created_(created) {}  // NOLINT(google-explicit-constructor)

      private:
        friend class BasicCommandBuffer;
        E entity_ = E::null;
        Created created_{.number = 0, .round = 0};  // round 0: none
    };
    struct Outcome {
        std::size_t applied = 0;
        std::size_t skipped = 0;
        bool operator==(const Outcome&) const = default;
    };
    using CreatedList = core::ChunkedArray<E, 4096>;

    // --- recording ---
    // requires, for each target from create(): it is of this buffer, and not applied yet (verified)

    Created create() {
        record({.kind = Kind::create, .value = create_count_});
        return {.number = create_count_++, .round = round_};
    }
    void destroy(Target target) { record({.kind = Kind::destroy, .target = target}); }
    // The component is constructed now, and moved into the registry later.
    template <class T, class... Args>
    void emplace(Target target, Args&&... args) {
        core::ChunkedArray<T, 4096>& values = made_values<T>().values;
        values.emplace_back(std::forward<Args>(args)...);
        try {
            record({.kind = Kind::emplace,
                    .type = component_id<T>(),
                    .target = target,
                    .value = values.size() - 1});
        } catch (...) {
            values.pop_back();
            throw;
        }
    }
    template <class T>
    void remove(Target target) {
        made_values<T>();
        record({.kind = Kind::remove, .type = component_id<T>(), .target = target});
    }
    // Commands not applied yet.
    std::size_t size() const { return commands_.size() - next_; }
    bool empty() const { return size() == 0; }

    // --- applying ---

    // Makes all changes, also those that listeners record meanwhile, and empties the buffer.
    // requires: it is not being applied (verified)
    Outcome apply(BasicRegistry<E>& registry);
    // What the last apply() created, in the order of create().
    const CreatedList& created() const { return created_; }

  private:
    enum class Kind : std::uint8_t { create, destroy, emplace, remove };

    struct Command {
        Kind kind;
        ComponentId type = 0;
        Target target = E::null;
        std::size_t value = 0;  // index among those of its type; of create: its number
    };

    // The components of one type that wait, and what needs to know it.
    class AnyValues {
      public:
        virtual ~AnyValues() = default;
        virtual bool emplace(BasicRegistry<E>& registry, E entity, std::size_t value) = 0;
        virtual bool remove(BasicRegistry<E>& registry, E entity) = 0;
        virtual void clear() = 0;
    };
    template <class T>
    class Values final : public AnyValues {
      public:
        core::ChunkedArray<T, 4096> values;

        bool emplace(BasicRegistry<E>& registry, E entity, std::size_t value) override {
            return registry.template try_emplace<T>(entity, std::move(values[value])) != nullptr;
        }
        bool remove(BasicRegistry<E>& registry, E entity) override {
            return registry.template remove<T>(entity);
        }
        void clear() override { values.clear(); }
    };

    template <class T>
    Values<T>& made_values() {
        std::unique_ptr<AnyValues>& values = values_[component_id<T>()];
        if (values == nullptr) values = std::make_unique<Values<T>>();
        return static_cast<Values<T>&>(*values);
    }
    void record(const Command& command) {
        const std::uint32_t round = command.target.created_.round;
        core::verify(round == 0 || (round == round_ && command.target.created_.number < create_count_),
                     "CommandBuffer: the target was created in another round, or by another buffer");
        commands_.push_back(command);
    }
    // Null while its create() has failed, or is still to come.
    E created_as(std::uint32_t number) const {
        return created_.is_valid_index(number) ? created_[number] : E::null;
    }
    // A number that no buffer had before, so that the names of one mean nothing to another.
    static std::uint32_t new_round() {
        static constinit std::atomic<std::uint32_t> last{0};
        const std::uint32_t round = ++last;
        return round != 0 ? round : ++last;  // 0: none
    }
    bool perform(const Command& command, BasicRegistry<E>& registry);
    void start_round();

    core::ChunkedArray<Command> commands_;
    std::array<std::unique_ptr<AnyValues>, kMaxComponentTypes> values_;  // by ComponentId
    CreatedList created_;
    std::size_t next_ = 0;  // command to apply
    std::uint32_t create_count_ = 0;
    std::uint32_t round_ = new_round();
    bool is_applying_ = false;
};

using CommandBuffer = BasicCommandBuffer<Entity>;

template <class E>
auto BasicCommandBuffer<E>::apply(BasicRegistry<E>& registry) -> Outcome {
    core::verify(!is_applying_, "CommandBuffer::apply: it is being applied");
    const ScopedFlag applying(is_applying_);
    if (next_ == 0) created_.clear();
    Outcome outcome;
    while (next_ < commands_.size()) {
        const Command& command = commands_[next_++];
        ++(perform(command, registry) ? outcome.applied : outcome.skipped);
    }
    start_round();
    return outcome;
}

template <class E>
bool BasicCommandBuffer<E>::perform(const Command& command, BasicRegistry<E>& registry) {
    const Created name = command.target.created_;
    const E entity = name.round == 0 ? command.target.entity_ : created_as(name.number);
    switch (command.kind) {
        case Kind::create:
            // Those before it have their numbers, and it has its own, whatever failed.
            if (created_.size() <= command.value) created_.add(command.value + 1 - created_.size());
            created_[command.value] = registry.create();
            return true;
        case Kind::destroy: return registry.destroy(entity);
        case Kind::emplace: return values_[command.type]->emplace(registry, entity, command.value);
        case Kind::remove: return values_[command.type]->remove(registry, entity);
    }
    std::unreachable();
}

template <class E>
void BasicCommandBuffer<E>::start_round() {
    commands_.clear();
    for (const auto& values : values_)
        if (values != nullptr) values->clear();
    next_ = 0;
    create_count_ = 0;
    round_ = new_round();
}

}  // namespace evertick::ecs
