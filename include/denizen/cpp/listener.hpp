/* Listeners: functions that are told of events. Part of denizen.hpp. MIT OR Apache-2.0. */
#ifndef DENIZEN_CPP_LISTENER_HPP
#define DENIZEN_CPP_LISTENER_HPP

#include "group.hpp"

DENIZEN_BEGIN

/* A connection, which ends with this object, as does what the function has captured. What the function throws comes out of
 * the call that told it, when that is done; of a call of denizen.h, out of the next one here on that world. */
class listener {
public:
    listener() noexcept = default;
    listener(listener &&other) noexcept : world_(other.world_), listener_(other.listener_), closure_(std::exchange(other.closure_, nullptr)), end_(other.end_) {}
    listener &operator=(listener &&other) noexcept
    {
        if (this != &other) {
            disconnect();
            world_ = other.world_, listener_ = other.listener_, end_ = other.end_;
            closure_ = std::exchange(other.closure_, nullptr);
        }
        return *this;
    }
    ~listener() { disconnect(); }

    explicit operator bool() const noexcept { return closure_ != nullptr; }
    operator dz_listener() const noexcept { return listener_; }

    void disconnect() noexcept
    {
        if (!closure_) return;
        /* From inside a listener it can't be disconnected: then the closure must outlive this, and is lost. */
        if (!dz_world_is_alive(world_) || dz_unlisten(world_, listener_) != DZ_ERR_IN_HOOK) end_(closure_);
        closure_ = nullptr;
    }

private:
    friend class world_view;

    template <class T, class F> static result<listener> connect(dz_world world, dz_event_kind kind, dz_id id, F &&f)
    {
        using closure = std::decay_t<F>;
        listener made;
        made.world_ = world;
        made.closure_ = new (std::nothrow) closure(std::forward<F>(f));
        if (!made.closure_) return detail::fail<listener>(error(DZ_ERR_OUT_OF_MEMORY, "a listener: the system has no more memory"));
        made.end_ = [](void *it) noexcept { delete static_cast<closure *>(it); };
        made.listener_ = dz_listen(world, kind, id, &hear<T, closure>, made.closure_);
        if (made.listener_.bits == 0) {
            made.end_(std::exchange(made.closure_, nullptr));
            return detail::fail<listener>();
        }
        return made;
    }

    template <class T, class F> static void hear(const dz_event *event, void *user) noexcept
    {
        F &f = *static_cast<F *>(user);
        entity it(event->world, event->entity);
        DENIZEN_TRY
        {
            if constexpr (std::is_void_v<T>) f(it);
            else if constexpr (std::is_invocable_v<F &, entity, T &>) f(it, *static_cast<T *>(event->data));
            else f(it);
        }
        DENIZEN_CATCH
        {
            detail::keep_exception(detail::meet_world(event->world));
        }
    }

    dz_world world_{0};
    dz_listener listener_{0};
    void *closure_ = nullptr;
    void (*end_)(void *) = nullptr;
};

DENIZEN_END

#endif
