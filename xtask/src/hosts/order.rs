//! The order of a module's functions: a packer finds what repeats the cheaper the nearer it stands, so functions that
//! are alike stand beside each other. In the panel that is 2.7 kB of brotli, and not a byte before packing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use wasm_encoder::{Encode as _, NameMap, NameSection, Section as _};
use wasmparser::{Parser, Payload, TypeRef};

use crate::house::House;
use crate::process::run;
use crate::tools::WasmTools;

/// Puts the functions of a module in that order, in place; `more` is what wasm-opt does besides.
pub(crate) fn apply(house: &House, tools: &WasmTools, wasm: &Path, more: &[&str]) -> Result<()> {
    let module = fs::read(wasm).with_context(|| format!("reading {}", wasm.display()))?;
    fs::write(wasm, named(&module)?).with_context(|| format!("writing {}", wasm.display()))?;
    let mut wasm_opt = house.command(&tools.wasm_opt);
    run(wasm_opt.arg("--reorder-functions-by-name").args(more).arg(wasm).arg("-o").arg(wasm))
}

/// The module with names for its functions which sort as the functions should stand, for wasm-opt's
/// `--reorder-functions-by-name`. Nothing else of it changes.
///
/// # Errors
/// When the bytes are no WebAssembly module.
fn named(wasm: &[u8]) -> Result<Vec<u8>> {
    let (imported, bodies) = functions(wasm).context("reading the functions of a module")?;
    let mut names = vec![String::new(); bodies.len()];
    for (place, function) in chain(&bodies).into_iter().enumerate() {
        if let Some(name) = names.get_mut(function) {
            *name = format!("f{place:06}");
        }
    }
    let mut map = NameMap::new();
    for (index, name) in (imported..).zip(&names) {
        map.append(index, name);
    }
    let mut section = NameSection::new();
    section.functions(&map);
    let mut out = wasm.to_vec();
    out.push(section.id());
    section.encode(&mut out);
    Ok(out)
}

/// How many functions a module imports, and the bodies of its own.
fn functions(wasm: &[u8]) -> Result<(u32, Vec<&[u8]>)> {
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    Ok((imported, bodies))
}

/// The functions from the shortest on, each followed by the one most like it of those that are left.
fn chain(bodies: &[&[u8]]) -> Vec<usize> {
    let pieces: Vec<Vec<u32>> = bodies.iter().map(|body| pieces(body)).collect();
    let mut holders: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (function, pieces) in pieces.iter().enumerate() {
        for piece in pieces {
            holders.entry(*piece).or_default().push(function);
        }
    }
    let mut left: Vec<bool> = vec![true; bodies.len()];
    let mut next = (0..bodies.len()).min_by_key(|function| bodies[*function].len());
    let mut order = Vec::with_capacity(bodies.len());
    while let Some(at) = next {
        order.push(at);
        left[at] = false;
        let mut shared = vec![0_u64; bodies.len()];
        for holder in pieces[at].iter().filter_map(|piece| holders.get(piece)).flatten() {
            shared[*holder] += 1;
        }
        let alike = |function: usize| {
            let all = (pieces[at].len() + pieces[function].len()) as u64 - shared[function];
            (shared[function], all.max(1))
        };
        let more = |a: usize, b: usize| {
            let ((a, of_a), (b, of_b)) = (alike(a), alike(b));
            (a * of_b).cmp(&(b * of_a))
        };
        next = (0..bodies.len()).rev().filter(|function| left[*function]).max_by(|a, b| more(*a, *b));
    }
    order
}

/// What four bytes stand in a body one after another, each once.
fn pieces(body: &[u8]) -> Vec<u32> {
    let mut pieces: Vec<u32> =
        body.windows(4).map(|four| four.iter().fold(0, |all, byte| all << 8 | u32::from(*byte))).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_stands_beside_like() {
        let bodies: [&[u8]; 5] =
            [b"one two three four", b"xyzzy xyzzy!", b"one two three five", b"xyzzy", b"two three five, six"];
        assert_eq!(chain(&bodies), [3, 1, 0, 2, 4]);
    }

    #[test]
    fn every_function_has_a_place_however_little_it_holds() {
        let bodies: [&[u8]; 4] = [b"", b"ab", b"", b"abcdef"];
        let mut order = chain(&bodies);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3]);
        assert_eq!(chain(&[]), [0_usize; 0]);
    }

    #[test]
    fn what_is_no_module_is_refused() {
        assert!(named(b"no module").is_err());
        let empty = b"\0asm\x01\0\0\0";
        assert!(named(empty).unwrap().starts_with(empty));
    }
}
