//! A world: its life, and all that can be done in it. What belongs to one subject is in that subject's file.
const std = @import("std");
const c = @import("raw.zig");
const errors = @import("errors.zig");
const handle = @import("handle.zig");
const access = @import("access.zig");
const bulk = @import("bulk.zig");
const components_ = @import("component.zig");
const entities_ = @import("entity.zig");
const groups = @import("group.zig");
const instances = @import("instance.zig");
const iterating = @import("iterate.zig");
const listening = @import("listener.zig");
const pairs = @import("pair.zig");
const querying = @import("query.zig");
const sorting = @import("sort.zig");
const tree = @import("tree.zig");
const Error = errors.Error;

/// How a world's handles are laid out.
pub const Layout = enum(i32) { bits64 = @backingInt(c.dz_layout.DZ_LAYOUT_64), bits32 = @backingInt(c.dz_layout.DZ_LAYOUT_32) };
/// Which destroyed slot a new entity takes.
pub const Recycling = enum(i32) { lifo = @backingInt(c.dz_recycling.DZ_RECYCLE_LIFO), fifo = @backingInt(c.dz_recycling.DZ_RECYCLE_FIFO) };
/// What happens to a slot whose generations are used up.
pub const Overflow = enum(i32) { retire = @backingInt(c.dz_overflow.DZ_OVERFLOW_RETIRE), wrap = @backingInt(c.dz_overflow.DZ_OVERFLOW_WRAP) };
/// Which instructions queries use.
pub const Instructions = enum(i32) {
    best = @backingInt(c.dz_instructions.DZ_INSTRUCTIONS_BEST),
    baseline = @backingInt(c.dz_instructions.DZ_INSTRUCTIONS_BASELINE),
    v3 = @backingInt(c.dz_instructions.DZ_INSTRUCTIONS_V3),
    v4 = @backingInt(c.dz_instructions.DZ_INSTRUCTIONS_V4),
};

/// A world's handle: copy it freely. A destroyed world's handle is an error, never a dangling pointer.
pub const World = extern struct {
    raw: c.dz_world,

    /// How a world is made. What is left out is the library's default.
    pub const Options = struct {
        layout: Layout = .bits64,
        recycling: Recycling = .lifo,
        overflow: Overflow = .retire,
        instructions: Instructions = .best,
        /// Entities to reserve memory for.
        capacity: u32 = 0,
        /// The largest number of slots; 0: what the layout allows.
        max_entities: u32 = 0,
        /// Indices kept for components; 0: 256; DZ_RESERVE_NONE: none.
        reserved_components: u32 = 0,
        /// The most bytes that the world may hold; 0: no limit.
        byte_budget: u64 = 0,
        /// Where its memory comes from; null: the system's. It must outlive the world, as must all that it points to.
        allocator: ?*const std.mem.Allocator = null,
        /// Told of each error, on the thread that made it. It must not call the library.
        log: c.dz_log_fn = null,
        log_user: ?*anyopaque = null,
        /// A pointer of yours.
        user: ?*anyopaque = null,
    };

    pub fn init(options: Options) Error!World {
        var desc = std.mem.zeroes(c.dz_world_desc);
        desc.size = @sizeOf(c.dz_world_desc);
        desc.layout = @backingInt(options.layout);
        desc.recycling = @backingInt(options.recycling);
        desc.overflow = @backingInt(options.overflow);
        desc.instructions = @backingInt(options.instructions);
        desc.capacity = options.capacity;
        desc.max_entities = options.max_entities;
        desc.reserved_components = options.reserved_components;
        desc.byte_budget = options.byte_budget;
        if (options.allocator) |allocator| desc.allocator = memory(allocator);
        desc.log = options.log;
        desc.log_user = options.log_user;
        desc.user = options.user;
        const raw = c.dz_world_create(&desc);
        return if (raw.bits == 0) errors.failure() else .{ .raw = raw };
    }

    /// Ends the world; for defer. What can go wrong is that it ended before, or that a hook or listener of it runs: close says
    /// so.
    pub fn deinit(world: World) void {
        world.close() catch {};
    }

    /// Ends the world: listeners and hooks run as if each entity were destroyed.
    pub fn close(world: World) Error!void {
        try errors.check(c.dz_world_destroy(world.raw));
    }

    /// Destroys every entity that is no component, and the singletons.
    pub fn clear(world: World) Error!void {
        try errors.check(c.dz_world_clear(world.raw));
    }

    /// Makes room for so many entities.
    pub fn reserve(world: World, count_of_entities: u32) Error!void {
        try errors.check(c.dz_reserve(world.raw, count_of_entities));
    }

    /// Gives back memory that nothing uses.
    pub fn shrink(world: World) Error!void {
        try errors.check(c.dz_shrink(world.raw));
    }

    /// Whether the world is there. No handle is an error.
    pub fn isOpen(world: World) bool {
        return c.dz_world_is_alive(world.raw);
    }

    /// Returns the error that says why not, if it isn't.
    pub fn checkOpen(world: World) Error!void {
        try errors.check(c.dz_world_why(world.raw));
    }

    /// What its 64-bit handles carry.
    pub fn number(world: World) Error!u32 {
        return errors.ask(c.dz_world_number, .{world.raw});
    }

    /// Counts of entities, components and bytes.
    pub fn stats(world: World) Error!c.dz_world_numbers {
        var numbers: c.dz_world_numbers = undefined;
        try errors.check(c.dz_world_stats(world.raw, &numbers));
        return numbers;
    }

    /// The pointer given in the options or last set.
    pub fn user(world: World) Error!?*anyopaque {
        return errors.ask(c.dz_world_user, .{world.raw});
    }

    pub fn setUser(world: World, pointer: ?*anyopaque) Error!void {
        try errors.check(c.dz_world_set_user(world.raw, pointer));
    }

    pub const component = components_.component;
    pub const componentWith = components_.componentWith;
    pub const components = components_.components;
    pub const find = components_.find;
    pub const findComponent = components_.findComponent;
    pub const unregister = components_.unregister;
    pub const componentInfo = components_.componentInfo;
    pub const listComponents = components_.listComponents;
    pub const count = components_.count;
    pub const clearPool = components_.clearPool;
    pub const compact = components_.compact;
    pub const entityOf = components_.entityOf;
    pub const setSingleton = components_.setSingleton;
    pub const emplaceSingleton = components_.emplaceSingleton;
    pub const singleton = components_.singleton;
    pub const singletonMut = components_.singletonMut;
    pub const removeSingleton = components_.removeSingleton;

    pub const create = entities_.create;
    pub const createAt = entities_.createAt;
    pub const clone = entities_.clone;
    pub const destroy = entities_.destroy;
    pub const isAlive = entities_.isAlive;
    pub const check = entities_.check;
    pub const generation = entities_.generation;
    pub const entities = entities_.entities;
    pub const typeOf = entities_.typeOf;
    pub const describe = entities_.describe;
    pub const setEnabled = entities_.setEnabled;
    pub const isEnabled = entities_.isEnabled;
    pub const setComponentEnabled = entities_.setComponentEnabled;
    pub const isComponentEnabled = entities_.isComponentEnabled;

    pub const add = access.add;
    pub const remove = access.remove;
    pub const set = access.set;
    pub const emplace = access.emplace;
    pub const get = access.get;
    pub const getMut = access.getMut;
    pub const getOrAdd = access.getOrAdd;
    pub const getBytes = access.getBytes;
    pub const setBytes = access.setBytes;
    pub const has = access.has;
    pub const accessor = access.accessor;

    pub const createMany = bulk.createMany;
    pub const createManyAt = bulk.createManyAt;
    pub const createWith = bulk.createWith;
    pub const destroyMany = bulk.destroyMany;
    pub const destroyEach = bulk.destroyEach;
    pub const addMany = bulk.addMany;
    pub const removeMany = bulk.removeMany;
    pub const setMany = bulk.setMany;
    pub const getMany = bulk.getMany;
    pub const getMutMany = bulk.getMutMany;
    pub const getOrAddMany = bulk.getOrAddMany;
    pub const hasMany = bulk.hasMany;

    pub const pair = pairs.pair;
    pub const halves = pairs.halves;
    pub const addPair = pairs.addPair;
    pub const setPair = pairs.setPair;
    pub const emplacePair = pairs.emplacePair;
    pub const removePair = pairs.removePair;
    pub const getPair = pairs.getPair;
    pub const getPairMut = pairs.getPairMut;
    pub const hasPair = pairs.hasPair;
    pub const targets = pairs.targets;
    pub const holders = pairs.holders;
    pub const setRelation = pairs.setRelation;
    pub const relation = pairs.relation;

    pub const setParent = tree.setParent;
    pub const moveChild = tree.moveChild;
    pub const parent = tree.parent;
    pub const firstChild = tree.firstChild;
    pub const lastChild = tree.lastChild;
    pub const nextSibling = tree.nextSibling;
    pub const previousSibling = tree.previousSibling;
    pub const childCount = tree.childCount;
    pub const depth = tree.depth;
    pub const ancestors = tree.ancestors;
    pub const children = tree.children;
    pub const subtree = tree.subtree;
    pub const setName = tree.setName;
    pub const name = tree.name;
    pub const lookup = tree.lookup;
    pub const path = tree.path;

    pub const instantiate = instances.instantiate;
    pub const override = instances.override;
    pub const source = instances.source;
    pub const base = instances.base;
    pub const setBase = instances.setBase;
    pub const isBase = instances.isBase;

    pub const listen = listening.listen;
    pub const listenEntities = listening.listenEntities;
    pub const unlisten = listening.unlisten;

    pub const query = querying.query;
    pub const parse = querying.parse;
    pub const optimize = querying.optimize;
    pub const iteratePool = iterating.iteratePool;
    pub const group = groups.group;
    pub const sort = sorting.sort;
    pub const sortAs = sorting.sortAs;
    pub const sortRefresh = sorting.sortRefresh;
    pub const sortRelease = sorting.sortRelease;
};

/// The living worlds, e.g. to report leaks.
pub fn worlds(buffer: []World) Error!handle.Listed(World) {
    var total: u32 = undefined;
    try errors.check(c.dz_worlds(@ptrCast(buffer.ptr), try handle.length(buffer), &total));
    return .of(buffer, total);
}

/// A Zig allocator as the library's.
fn memory(allocator: *const std.mem.Allocator) c.dz_allocator {
    const Calls = struct {
        fn of(user: ?*anyopaque) std.mem.Allocator {
            return @as(*const std.mem.Allocator, @ptrCast(@alignCast(user.?))).*;
        }
        fn allocate(size: usize, alignment: usize, user: ?*anyopaque) callconv(.c) ?*anyopaque {
            return of(user).rawAlloc(size, .fromByteUnits(alignment), @returnAddress());
        }
        fn free(pointer: ?*anyopaque, size: usize, alignment: usize, user: ?*anyopaque) callconv(.c) void {
            const bytes = @as([*]u8, @ptrCast(pointer.?))[0..size];
            of(user).rawFree(bytes, .fromByteUnits(alignment), @returnAddress());
        }
    };
    return .{
        .allocate = Calls.allocate,
        .free = Calls.free,
        .reallocate = null,
        .user = @constCast(allocator),
    };
}
