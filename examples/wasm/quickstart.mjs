// The quickstart, with denizen as a WebAssembly module, for Node and browsers: the host calls the C functions by hand.
//     cargo build --release --lib --target wasm32-unknown-unknown
//     node examples/wasm/quickstart.mjs target/wasm32-unknown-unknown/release/denizen.wasm
// A handle is a BigInt, a world or a query is a number, a pointer is an offset into the module's memory.
import { readFile } from "node:fs/promises";

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), {});
const dz = instance.exports;
const PAGE = 65536;

// Memory for what we pass: a page that we add is ours, the library takes none that it didn't add itself.
let free = dz.memory.grow(1) * PAGE;
const view = () => new DataView(dz.memory.buffer); // anew each time: the buffer changes when memory grows
function alloc(size, alignment = 8) {
    const at = Math.ceil(free / alignment) * alignment;
    free = at + size;
    return at;
}
function text(string) {
    const bytes = new TextEncoder().encode(string + "\0");
    const at = alloc(bytes.length, 1);
    new Uint8Array(dz.memory.buffer).set(bytes, at);
    return at;
}
function textAt(at) {
    const bytes = new Uint8Array(dz.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

// Where C puts the members of a struct on a machine with 32-bit pointers.
function struct(members) {
    const sizes = { u16: 2, u32: 4, pointer: 4, u64: 8 };
    const offset = {};
    let end = 0, alignment = 1;
    for (const [name, type, count = 1] of members) {
        const size = sizes[type];
        offset[name] = Math.ceil(end / size) * size;
        end = offset[name] + size * count;
        alignment = Math.max(alignment, size);
    }
    return { offset, size: Math.ceil(end / alignment) * alignment };
}
const ComponentDesc = struct([["size", "u32"], ["policy", "u32"], ["name", "pointer"], ["element_size", "u32"],
    ["element_alignment", "u32"], ["hooks", "pointer", 5]]);
const Iter = struct([["data", "pointer"], ["entities", "pointer"], ["count", "u32"], ["stride", "u32"],
    ["entity_size", "u32"], ["status", "u32"], ["changes", "pointer"], ["seen", "u64"], ["current", "u64"],
    ["position", "u32"], ["flags", "u32"], ["world", "u32"], ["first", "u32"], ["id", "u64"], ["era", "u64"],
    ["pool_changes", "u64"], ["end", "u32"], ["limit", "u32"], ["settled", "u64"], ["log", "u64"], ["magic", "u64"],
    ["settler", "u32"], ["gather", "u32"], ["term_count", "u32"], ["query", "u32"], ["fields", "pointer", 32],
    ["strides", "u32", 32], ["offsets", "u16", 32], ["walk", "u64", 32], ["picks", "u32", 136], ["rows", "pointer", 520]]);

function component(world, name, size) {
    const at = alloc(ComponentDesc.size);
    const { offset } = ComponentDesc;
    view().setUint32(at + offset.size, ComponentDesc.size, true);
    view().setUint32(at + offset.name, text(name), true);
    view().setUint32(at + offset.element_size, size, true);
    view().setUint32(at + offset.element_alignment, size ? 4 : 1, true);
    return dz.dz_component_register(world, at);
}

// Three floats, as Position and Velocity are.
const read3 = (at) => [0, 4, 8].map((i) => view().getFloat32(at + i, true));
const write3 = (at, values) => values.forEach((value, i) => view().setFloat32(at + 4 * i, value, true));
const scratch = alloc(12);
function set(world, entity, id, values) {
    write3(scratch, values);
    return dz.dz_set(world, entity, id, 12, scratch);
}

// As DZ_AT: a batch is a run, or rows that lie apart.
function at(it, term, i, size) {
    const word = (name, index = 0) => view().getUint32(it + Iter.offset[name] + 4 * index, true);
    if (word("gather") === 0) return word("fields", term) + i * size;
    return word("rows", view().getUint16(it + Iter.offset.offsets + 2 * term, true) + i);
}

const world = dz.dz_world_create(0);
const position = component(world, "Position", 12);
const velocity = component(world, "Velocity", 12);
const frozen = component(world, "Frozen", 0);

const ship = dz.dz_create(world), rock = dz.dz_create(world);
set(world, ship, position, [0, 0, 0]);
set(world, ship, velocity, [1, 2, 0]);
set(world, rock, position, [9, 9, 9]);
set(world, rock, velocity, [1, 2, 0]);
dz.dz_add(world, rock, frozen);

const movers = dz.dz_query_parse(world, text("Position, [in] Velocity, !Frozen"));
const it = alloc(Iter.size);
for (dz.dz_iterate(world, movers, it); dz.dz_next(it);) {
    for (let i = 0; i < view().getUint32(it + Iter.offset.count, true); i++) {
        const p = at(it, 0, i, 12), v = read3(at(it, 1, i, 12));
        write3(p, read3(p).map((x, k) => x + v[k]));
    }
}

const p = dz.dz_get(world, ship, position);
if (p !== 0) console.log(`the ship is at ${read3(p).join(" ")}`);

dz.dz_destroy(world, ship);
if (dz.dz_get(world, ship, position) === 0) console.log(textAt(dz.dz_error_message()));
dz.dz_world_destroy(world);
