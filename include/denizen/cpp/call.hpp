/* The end of a call: what was thrown below it comes out, and what couldn't end inside it does. Part of denizen.hpp.
 * MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_CALL_HPP
#define DENIZEN_CPP_CALL_HPP

#include "ids.hpp"

DENIZEN_BEGIN
namespace detail {

/* While a world is ended: its record stays its own until what was thrown has come out of there, though another thread may
 * make a world that gets the number. */
class DENIZEN_LOCAL ending_world {
public:
    explicit ending_world(dz_world world) noexcept : known_(find_world(world)) { set(true); }
    ~ending_world() { set(false); }
    ending_world(const ending_world &) = delete;
    ending_world &operator=(const ending_world &) = delete;

private:
    void set(bool ending) noexcept
    {
        lock_worlds lock;
        if (known_) known_->ending = ending;
    }
    known_world *known_;
};

/* What a hook or listener throws is kept with the world and thrown again when the call has returned. The first one counts. */
#ifndef DENIZEN_NO_EXCEPTIONS
DENIZEN_LOCAL inline void keep_exception(known_world *world) noexcept
{
    if (!world) return;
    std::exception_ptr thrown = std::current_exception();
    lock_worlds lock;
    if (!world->thrown) world->thrown = std::move(thrown);
    world->waiting.store(true, std::memory_order_relaxed);
}

/* Takes what is kept for the world of that handle: the record may have become another's meanwhile. */
DENIZEN_LOCAL inline std::exception_ptr take_exception(dz_world world) noexcept
{
    known_world *known = find_world(world);
    if (!known || !known->waiting.load(std::memory_order_relaxed)) return nullptr;
    lock_worlds lock;
    if (known->bits.load(std::memory_order_relaxed) != world.bits) return nullptr;
    known->waiting.store(known->left != nullptr, std::memory_order_relaxed);
    return std::exchange(known->thrown, nullptr);
}

DENIZEN_LOCAL inline void rethrow(dz_world world)
{
    if (std::exception_ptr thrown = take_exception(world)) std::rethrow_exception(std::move(thrown));
}
DENIZEN_LOCAL inline void drop_exception(dz_world world) noexcept { (void)take_exception(world); }
#else
inline void rethrow(dz_world) noexcept {}
inline void drop_exception(dz_world) noexcept {}
#endif

/* Ends what a handle names. DZ_ERR_IN_HOOK: not now. What died with its world is no error. */
template <class H> dz_status try_to_end(dz_world world, H handle, dz_status (*end)(dz_world, H)) noexcept
{
    if (dz_world_is_alive(world)) return end(world, handle);
    const bool clean = dz_error_status() == DZ_OK;
    dz_status why = dz_world_why(world); /* inside a hook it isn't alive either */
    if (clean) dz_error_clear();
    return why;
}

/* Keeps what was to end until the call is done, of a world that was met. */
DENIZEN_LOCAL inline void end_later(dz_world world, unended *it) noexcept
{
    known_world *known = find_world(world);
    if (!known) return;
    lock_worlds lock;
    it->next = known->left;
    known->left = it;
    known->waiting.store(true, std::memory_order_relaxed);
}

/* Tries again when the call is done, and as often as it takes: try_to says whether it ended. If there is no memory to remember it
 * by, the world's end ends it too. */
template <class F> DENIZEN_LOCAL void end_when_done(dz_world world, F try_to) noexcept
{
    struct kept : unended {
        explicit kept(F attempt) noexcept : try_to(attempt) {}
        F try_to;
    };
    kept *it = find_world(world) ? ::new (std::nothrow) kept(try_to) : nullptr;
    if (!it) return;
    it->end = [](unended *that) noexcept {
        kept *self = static_cast<kept *>(that);
        if (!self->try_to()) return false;
        ::delete self;
        return true;
    };
    end_later(world, it);
}

/* Ends a query or group, now or when the call is done. */
template <class H> DENIZEN_LOCAL void end_handle(dz_world world, H handle, dz_status (*end)(dz_world, H)) noexcept
{
    if (handle.bits == 0 || try_to_end(world, handle, end) != DZ_ERR_IN_HOOK) return;
    end_when_done(world, [=]() noexcept { return try_to_end(world, handle, end) != DZ_ERR_IN_HOOK; });
}

/* Ends a world whose owner ended inside one of its listeners: when the call is done. */
DENIZEN_LOCAL inline void end_world_later(dz_world world) noexcept
{
    end_when_done(world, [=]() noexcept {
        ending_world scope(world);
        if (dz_world_destroy(world) == DZ_ERR_IN_HOOK) return false;
        drop_exception(world);
        return true;
    });
}

/* Ends what couldn't inside a call, when that has succeeded. */
DENIZEN_LOCAL inline void end_waiting(dz_world world) noexcept
{
    known_world *known = find_world(world);
    if (!known || !known->waiting.load(std::memory_order_relaxed)) return;
    unended *left = nullptr;
    {
        lock_worlds lock;
        if (known->bits.load(std::memory_order_relaxed) != world.bits) return;
        left = std::exchange(known->left, nullptr);
        known->waiting.store(false, std::memory_order_relaxed); /* nothing is thrown: else the call would have ended by it */
    }
    while (unended *it = left) {
        left = it->next;
        if (!it->end(it)) end_later(world, it);
    }
}

/* Behind every call that writes: throws what was thrown; else, if the call was good, ends what couldn't inside it. */
DENIZEN_LOCAL inline bool ended(dz_world world, bool good)
{
    known_world *known = find_world(world);
    if (known && known->waiting.load(std::memory_order_relaxed)) {
        detail::rethrow(world);
        if (good) end_waiting(world);
    }
    return good;
}

/* After a call that writes: what was thrown, else the call's own error. */
DENIZEN_LOCAL inline result<void> done(dz_world world, dz_status status)
{
    if (!detail::ended(world, !dz_failed(status))) return fail<void>();
    return result<void>();
}

/* The same of a call that answers whether it changed something. */
DENIZEN_LOCAL inline result<bool> changed(dz_world world, dz_status status)
{
    if (!detail::ended(world, !dz_failed(status))) return fail<bool>();
    return status == DZ_OK;
}

} // namespace detail
DENIZEN_END

#endif
