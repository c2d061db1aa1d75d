/* Listeners: functions that are told of events. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_LISTENER_HPP
#define DENIZEN_CPP_LISTENER_HPP

#include "group.hpp"

#include <optional>

DENIZEN_BEGIN

namespace detail {

/* A function that listens. The library has its address for as long as it is connected, which may be longer than the
 * listener lives: inside a hook or another listener, its own call too, nothing is disconnected. Then it hears no more. */
struct ear : unended {
    dz_world world{0};
    dz_listener handle{0};
    uint32_t calls = 0; /* under way */
    bool deaf = false;
    void (*forget)(ear *it) noexcept = nullptr; /* ends the function */
};

template <class F> struct DENIZEN_LOCAL ear_of : ear {
    std::optional<F> function;

    template <class G> explicit ear_of(G &&f) : function(std::in_place, std::forward<G>(f))
    {
        forget = [](ear *it) noexcept { static_cast<ear_of *>(it)->function.reset(); };
        end = [](unended *left) noexcept {
            auto *it = static_cast<ear_of *>(left);
            if (it->calls > 0 || try_to_end(it->world, it->handle, &dz_unlisten) == DZ_ERR_IN_HOOK) return false;
            ::delete it;
            return true;
        };
    }

    /* T: its component's, or void. */
    template <class T> static void hear(const dz_event *event, void *user) noexcept
    {
        auto *it = static_cast<ear_of *>(user);
        if (it->deaf) return;
        it->calls++;
        DENIZEN_TRY
        {
            F &f = *it->function;
            entity who(event->world, event->entity);
            if constexpr (std::is_void_v<T>) {
                static_assert(std::is_invocable_v<F &, entity>, "for a tag, and for on_create and on_destroy, a listener's function is f(entity)");
                f(who);
            } else if constexpr (std::is_invocable_v<F &, entity, T &>) {
                f(who, *static_cast<T *>(event->data));
            } else {
                static_assert(std::is_invocable_v<F &, entity>, "a listener's function is f(entity, T &) or f(entity)");
                f(who);
            }
        }
        DENIZEN_CATCH
        {
            keep_exception(meet_world(event->world));
        }
        if (--it->calls == 0 && it->deaf) it->forget(it);
    }
};

} // namespace detail

/* A connection, which ends with this object, as does what the function has captured; inside a call of that function, when the
 * call is done. What the function throws comes out of the call that told it, when that is done; of a call of denizen.h, out of
 * the next one here on that world. */
class [[nodiscard]] listener {
public:
    listener() noexcept = default;
    listener(listener &&other) noexcept : ear_(std::exchange(other.ear_, nullptr)) {}
    listener &operator=(listener &&other) noexcept
    {
        if (this != &other) {
            disconnect();
            ear_ = std::exchange(other.ear_, nullptr);
        }
        return *this;
    }
    ~listener() { disconnect(); }

    explicit operator bool() const noexcept { return ear_ != nullptr; }
    operator dz_listener() const noexcept { return ear_ ? ear_->handle : dz_listener{0}; }

    void disconnect() noexcept
    {
        detail::ear *it = std::exchange(ear_, nullptr);
        if (!it) return;
        if (it->end(it)) return;
        it->deaf = true;
        if (it->calls == 0) it->forget(it);
        detail::end_later(it->world, it);
    }

private:
    friend class world_view;

    template <class T, class F> static result<listener> connect(dz_world world, dz_event_kind kind, dz_id id, F &&f)
    {
        using ear = detail::ear_of<std::decay_t<F>>;
        auto *made = ::new (std::nothrow) ear(std::forward<F>(f));
        if (!made || (dz_world_is_alive(world) && !detail::meet_world(world))) {
            if (made) ::delete made;
            return detail::fail<listener>(error(DZ_ERR_OUT_OF_MEMORY, "a listener: the system has no more memory"));
        }
        made->world = world;
        made->handle = dz_listen(world, kind, id, &ear::template hear<T>, static_cast<void *>(made));
        if (made->handle.bits == 0) {
            ::delete made;
            return detail::fail<listener>();
        }
        listener it;
        it.ear_ = made;
        return it;
    }

    detail::ear *ear_ = nullptr;
};

DENIZEN_END

#endif
