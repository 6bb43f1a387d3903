#pragma once
// A random-access iterator over any container that has operator[]: the container and a position in it.
// It outlives growth of the container, since it holds no address of an element; it is invalidated when the
// container itself is moved, swapped or destroyed.
// cost: every operation O(1); dereferencing costs one operator[].

#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace evertick::core {

template <class Container>  // const-qualified for a const_iterator
class IndexIterator {
  public:
    using reference = decltype(std::declval<Container&>()[std::size_t{}]);
    using value_type = std::remove_cvref_t<reference>;
    using pointer = std::add_pointer_t<reference>;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    IndexIterator() = default;
    IndexIterator(Container& container, std::size_t index) : container_(&container), index_(index) {}
    operator IndexIterator<const Container>() const
        requires(!std::is_const_v<Container>)
    {
        return {*container_, index_};
    }

    // The position it stands at.
    std::size_t index() const { return index_; }

    reference operator*() const { return (*container_)[index_]; }
    pointer operator->() const { return std::addressof(**this); }
    reference operator[](difference_type offset) const { return *(*this + offset); }

    IndexIterator& operator++() { return *this += 1; }
    IndexIterator& operator--() { return *this -= 1; }
    IndexIterator operator++(int) { return std::exchange(*this, *this + 1); }
    IndexIterator operator--(int) { return std::exchange(*this, *this - 1); }
    IndexIterator& operator+=(difference_type offset) {
        index_ += static_cast<std::size_t>(offset);  // wraps for negative offsets, as it should
        return *this;
    }
    IndexIterator& operator-=(difference_type offset) {
        index_ -= static_cast<std::size_t>(offset);
        return *this;
    }

    friend IndexIterator operator+(IndexIterator at, difference_type offset) { return at += offset; }
    friend IndexIterator operator+(difference_type offset, IndexIterator at) { return at += offset; }
    friend IndexIterator operator-(IndexIterator at, difference_type offset) { return at -= offset; }
    friend difference_type operator-(const IndexIterator& a, const IndexIterator& b) {
        return static_cast<difference_type>(a.index_ - b.index_);
    }
    // requires: both over the same container
    friend bool operator==(const IndexIterator& a, const IndexIterator& b) { return a.index_ == b.index_; }
    friend auto operator<=>(const IndexIterator& a, const IndexIterator& b) { return a.index_ <=> b.index_; }

  private:
    Container* container_ = nullptr;
    std::size_t index_ = 0;
};

}  // namespace evertick::core
