/* Arrays, and ranges of entities that the library hands out page by page. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_RANGE_HPP
#define DENIZEN_CPP_RANGE_HPP

#include "entity.hpp"

DENIZEN_BEGIN

/* An array that somebody else has: of a C array, or of what has data() and size(), e.g. std::vector. */
template <class T> class span {
public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<std::remove_pointer_t<decltype(std::declval<C &>().data())> (*)[], T (*)[]>>>
    constexpr span(C &&container) noexcept : data_(container.data()), size_(container.size()) {}

    constexpr T *data() const noexcept { return data_; }
    /* More than the library can count is too many for it, too. */
    constexpr uint32_t size() const noexcept { return size_ > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(size_); }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

namespace detail {

/* An input range of entities. Pages: next(out, capacity, last) writes the entities behind `last`, and says how many. The body
 * may destroy and move them: before it gets the last one of a page the next page is read, and who is dead is passed over. */
template <class Pages> class paged {
public:
    class iterator {
    public:
        using value_type = entity;
        using difference_type = std::ptrdiff_t;
        using reference = entity;
        using pointer = void;
        using iterator_category = std::input_iterator_tag;
        void operator++(int) { ++*this; }
        entity operator*() const noexcept { return {pages_.world, current_}; }
        iterator &operator++()
        {
            do {
                if (at_ == count_) return current_ = DZ_NULL, *this;
                current_ = page_[at_++];
                if (at_ == count_) turn();
            } while (!dz_is_alive(pages_.world, current_));
            return *this;
        }
        friend bool operator!=(const iterator &it, std::nullptr_t) noexcept { return it.current_ != DZ_NULL; }
        friend bool operator==(const iterator &it, std::nullptr_t) noexcept { return it.current_ == DZ_NULL; }

    private:
        friend class paged;
        explicit iterator(const Pages &pages) : pages_(pages)
        {
            dz_error_clear();
            count_ = pages_.next(page_, size, DZ_NULL);
#ifndef DENIZEN_NO_EXCEPTIONS
            if (count_ == 0 && dz_error_status() != DZ_OK) fail<void>();
#endif
            ++*this;
        }
        /* Reads on: behind the page's last, or if that is gone by now, behind the last that isn't. */
        void turn()
        {
            dz_entity old[size + 1] = {before_};
            uint32_t left = count_ + 1;
            std::memcpy(old + 1, page_, count_ * sizeof *old);
            at_ = count_ = 0;
            dz_status failed = DZ_OK;
            do {
                before_ = old[--left];
                dz_error_clear();
                count_ = pages_.next(page_, size, before_);
                failed = count_ == 0 ? dz_error_status() : DZ_OK;
            } while (failed != DZ_OK && left > (old[0] == DZ_NULL ? 1u : 0u));
#ifndef DENIZEN_NO_EXCEPTIONS
            if (failed != DZ_OK) fail<void>();
#endif
        }

        static constexpr uint32_t size = 64;
        Pages pages_;
        dz_entity current_ = DZ_NULL, before_ = DZ_NULL; /* that the page was read behind */
        uint32_t at_ = 0, count_ = 0;
        dz_entity page_[size];
    };

    explicit paged(const Pages &pages) noexcept : pages_(pages) {}
    /* Where the handle is bad that is an error; without exceptions the range is empty, and dz_error_status() says why. A loop that
     * can't go on, since nobody is left that it came past, ends with the error. */
    iterator begin() const { return iterator(pages_); }
    std::nullptr_t end() const noexcept { return nullptr; }

private:
    Pages pages_;
};

struct children_pages {
    dz_world world;
    dz_entity parent;
    uint32_t next(dz_entity *out, uint32_t capacity, dz_entity last) const noexcept { return dz_children(world, parent, last, out, capacity); }
};
struct subtree_pages {
    dz_world world;
    dz_entity root;
    dz_tree_order order;
    uint32_t next(dz_entity *out, uint32_t capacity, dz_entity last) const noexcept { return dz_subtree(world, root, order, last, out, capacity); }
};
struct entity_pages {
    dz_world world;
    uint32_t first = 0;
    uint32_t next(dz_entity *out, uint32_t capacity, dz_entity) noexcept
    {
        uint32_t count = 0;
        if (first == UINT32_MAX || dz_failed(dz_entities(world, first, out, capacity, &count, &first))) return 0;
        return count;
    }
};

} // namespace detail

class children_range : public detail::paged<detail::children_pages> {
public:
    using paged::paged;
};
class subtree_range : public detail::paged<detail::subtree_pages> {
public:
    using paged::paged;
};
class entities_range : public detail::paged<detail::entity_pages> {
public:
    explicit entities_range(dz_world world) noexcept : paged({world}) {}
};

inline children_range entity::children() const noexcept { return children_range(detail::children_pages{world_, handle_}); }
inline subtree_range entity::subtree(dz_tree_order order) const noexcept { return subtree_range(detail::subtree_pages{world_, handle_, order}); }

DENIZEN_END

#endif
