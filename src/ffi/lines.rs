//! dz_get begins where a line of the cache does.
//!
//! The compiler is asked for small code (`opt-level` in Cargo.toml), and so aligns no function. Where its first instructions lie
//! at the end of a line, `dz_get` takes up to a tenth longer, and whether they do changes with every other function. Each
//! function has a section to itself; here it is said of its section that it is aligned, before the function comes into it.

core::arch::global_asm!(".pushsection .text.dz_get,\"ax\",@progbits", ".p2align 6", ".popsection");
