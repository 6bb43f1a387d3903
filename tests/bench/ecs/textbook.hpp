#pragma once
// TextbookRegistry: a sparse-set registry as articles and lectures write it, for the benchmark: pools in a
// hash map by type, each of three vectors; iteration walks the first pool named and asks has() of the others.
// Written cleanly and without tricks on either side: handles are checked as in ours and are as wide.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/verify.hpp"
#include "ecs/entity.hpp"

namespace evertick::bench {

class TextbookAnyPool {
  public:
    virtual ~TextbookAnyPool() = default;
    virtual void remove(ecs::Entity entity) = 0;  // nothing when it has none
    virtual void shrink() = 0;
};

template <class T>
class TextbookPool final : public TextbookAnyPool {
  public:
    bool has(ecs::Entity entity) const {
        return entity.index() < sparse_.size() && sparse_[entity.index()] != kAbsent;
    }
    T& get(ecs::Entity entity) { return components_[sparse_[entity.index()]]; }
    T& add(ecs::Entity entity, T component) {
        if (entity.index() >= sparse_.size()) sparse_.resize(entity.index() + std::size_t{1}, kAbsent);
        sparse_[entity.index()] = static_cast<std::uint32_t>(dense_.size());
        dense_.push_back(entity);
        return components_.emplace_back(std::move(component));
    }
    void remove(ecs::Entity entity) override {
        if (!has(entity)) return;
        const std::uint32_t gap = std::exchange(sparse_[entity.index()], kAbsent);
        if (dense_.back() != entity) {
            dense_[gap] = dense_.back();
            components_[gap] = std::move(components_.back());
            sparse_[dense_[gap].index()] = gap;
        }
        dense_.pop_back();
        components_.pop_back();
    }
    void shrink() override {
        dense_.shrink_to_fit();
        components_.shrink_to_fit();
    }
    const std::vector<ecs::Entity>& entities() const { return dense_; }
    std::vector<T>& components() { return components_; }

  private:
    static constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();

    std::vector<std::uint32_t> sparse_;  // index -> position
    std::vector<ecs::Entity> dense_;     // position -> entity
    std::vector<T> components_;
};

class TextbookRegistry {
  public:
    ecs::Entity create() {
        if (free_.empty()) {
            generations_.push_back(0);
            return ecs::Entity::from(static_cast<std::uint32_t>(generations_.size() - 1), 0);
        }
        const std::uint32_t index = free_.back();
        free_.pop_back();
        return ecs::Entity::from(index, generations_[index]);
    }
    bool valid(ecs::Entity entity) const {
        return entity.index() < generations_.size() && generations_[entity.index()] == entity.generation();
    }
    void destroy(ecs::Entity entity) {
        core::verify(valid(entity), "TextbookRegistry::destroy: the handle is stale");
        for (const auto& [type, pool] : pools_) pool->remove(entity);
        ++generations_[entity.index()];
        free_.push_back(entity.index());
    }

    template <class T>
    T& emplace(ecs::Entity entity, T component = {}) {
        core::verify(valid(entity), "TextbookRegistry::emplace: the handle is stale");
        std::unique_ptr<TextbookAnyPool>& pool = pools_[typeid(T)];
        if (pool == nullptr) pool = std::make_unique<TextbookPool<T>>();
        return static_cast<TextbookPool<T>&>(*pool).add(entity, std::move(component));
    }
    template <class T>
    bool has(ecs::Entity entity) const {
        return valid(entity) && find_pool<T>().has(entity);
    }
    template <class T>
    T& get(ecs::Entity entity) {
        core::verify(valid(entity), "TextbookRegistry::get: the handle is stale");
        return find_pool<T>().get(entity);
    }

    // Asks the registry about each entity, as the definition of a view reads.
    template <class First, class... Others, class Visit>
    void each(Visit visit) {
        TextbookPool<First>& first = find_pool<First>();
        for (std::size_t i = 0; i < first.entities().size(); ++i) {
            [[maybe_unused]] const ecs::Entity entity = first.entities()[i];
            if ((has<Others>(entity) && ...)) visit(first.components()[i], get<Others>(entity)...);
        }
    }
    // The same by someone who has seen a profile: the pools are found once, and pools hold only the living.
    template <class First, class... Others, class Visit>
    void each_in_pools(Visit visit) {
        visit_pools(visit, find_pool<First>(), find_pool<Others>()...);
    }

    void shrink() {
        for (const auto& [type, pool] : pools_) pool->shrink();
        free_.shrink_to_fit();
    }

  private:
    // requires: an entity had one
    template <class T>
    TextbookPool<T>& find_pool() const {
        return static_cast<TextbookPool<T>&>(*pools_.find(typeid(T))->second);
    }
    template <class Visit, class First, class... Others>
    static void visit_pools(Visit visit, TextbookPool<First>& first, TextbookPool<Others>&... others) {
        for (std::size_t i = 0; i < first.entities().size(); ++i) {
            [[maybe_unused]] const ecs::Entity entity = first.entities()[i];
            if ((others.has(entity) && ...)) visit(first.components()[i], others.get(entity)...);
        }
    }

    std::vector<std::uint32_t> generations_;
    std::vector<std::uint32_t> free_;
    std::unordered_map<std::type_index, std::unique_ptr<TextbookAnyPool>> pools_;
};

}  // namespace evertick::bench
