/* denizen for C++17: one header over denizen.h. MIT OR Apache-2.0.
 *
 *     denizen::world world;
 *     denizen::entity ship = world.create(Position{0, 0, 0}, Velocity{1, 0, 0});
 *     world.each([](Position &p, const Velocity &v) { p.x += v.x; });
 *     ship.get<Position>().x;
 *
 * Everything here is a handle and calls of denizen.h, which may be used beside it: a world converts to dz_world,
 * an entity to dz_entity, and both are made of them. What each call reads, writes and costs is said there.
 *
 * Errors are exceptions (denizen::error) where the compiler has them on. Else, or with DENIZEN_NO_EXCEPTIONS
 * defined, what can fail returns a denizen::result. Nothing needs RTTI. docs/cpp.md is the guide. */
#ifndef DENIZEN_HPP
#define DENIZEN_HPP

#include "denizen.h"

#include "cpp/error.hpp"

#include "cpp/component.hpp"

#include "cpp/ids.hpp"

#include "cpp/call.hpp"

#include "cpp/entity.hpp"

#include "cpp/loop.hpp"

#include "cpp/query.hpp"

#include "cpp/group.hpp"

#include "cpp/listener.hpp"

#include "cpp/world.hpp"

#endif
