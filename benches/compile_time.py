#!/usr/bin/env python3
"""What the derive costs the compiler, beside serde's pair and `Clone`.

Writes a crate of 100 structs with 8 fields (four arrays, an `Option`, a `Vec`, a number, a
nested struct; chains of ten), builds its dependencies, and then takes the CPU seconds of
rustc and cargo for that crate alone: `cargo check`, and a debug build. Then it builds
paramtree itself from nothing, beside ndarray and syn alone.

    python3 benches/compile_time.py [RUNS]
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "compile-time"
RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 5

NDARRAY = 'ndarray = { version = "0.17", default-features = false, features = ["std"%s] }\n'
PARAMTREE = f'paramtree = {{ path = "{ROOT / "paramtree"}" }}\n'
USE = """
pub fn all(mut model: Root, gradient: &Root) -> Result<Root, paramtree::Error> {
    use paramtree::{Layout, Mask, Summarize, Summary, partition};
    let mut mask = Mask::of(&model);
    mask.freeze("0.a")?;
    let layout = Layout::new(&model, &mask)?;
    let x: Vec<f64> = layout.flatten(&model)?;
    let slopes: Vec<f64> = layout.pullback(&model, gradient)?;
    layout.unflatten(&mut model, &slopes)?;
    println!("{} {}", model.summary(), Summary::of(&model, &mask)?);
    let _ = x;
    let (params, rest) = partition(model, &mask)?;
    Ok(rest.combine([params])?)
}
"""

CASES = {
    "Clone": ("Clone", NDARRAY % "", ""),
    "paramtree's Module": ("paramtree::Module", NDARRAY % "" + PARAMTREE, ""),
    "the same, all instantiated": ("paramtree::Module", NDARRAY % "" + PARAMTREE, USE),
    "serde's pair": (
        "serde::Serialize, serde::Deserialize",
        NDARRAY % ', "serde"' + 'serde = { version = "1", features = ["derive"] }\n',
        "",
    ),
}


def source(derive, use):
    """The crate: ten chains of ten structs, and a root that holds the chains."""
    lines = ["use ndarray::{Array1, Array2};"]
    for chain in range(10):
        for link in range(10):
            nested = f"S{chain}x{link + 1}" if link < 9 else "f64"
            lines.append(
                f"#[derive({derive})] pub struct S{chain}x{link} {{ pub a: Array1<f64>, "
                "pub b: Array2<f64>, pub c: Array1<f32>, pub d: Array2<f32>, "
                "pub o: Option<Array1<f64>>, pub v: Vec<Array1<f64>>, pub s: f64, "
                f"pub n: {nested} }}"
            )
    if use:
        fields = ", ".join(f"pub S{chain}x0" for chain in range(10))
        lines.append(f"#[derive({derive})] pub struct Root({fields});")
    return "\n".join(lines) + "\n" + use


def cargo(folder, *arguments):
    env = dict(os.environ, CARGO_INCREMENTAL="0", CARGO_TARGET_DIR=str(folder / "target"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["cargo", "-q", *arguments], cwd=folder, env=env, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write(folder, dependencies, text):
    shutil.rmtree(folder / "src", ignore_errors=True)
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "cost"\nversion = "0.0.0"\nedition = "2024"\n'
        f"[workspace]\n[dependencies]\n{dependencies}"
    )
    (folder / "src" / "lib.rs").write_text(text)


def last(folder, command):
    """The least CPU seconds for the last crate alone."""
    cargo(folder, command)
    seconds = []
    for _ in range(RUNS):
        (folder / "src" / "lib.rs").touch()
        seconds.append(cargo(folder, command))
    return min(seconds)


def main():
    print(f"CPU seconds, the least of {RUNS}")
    print(f"{'100 structs of 8 fields':32} {'check':>8} {'debug':>8}")
    for name, (derive, dependencies, use) in CASES.items():
        folder = WORK / name.replace(" ", "-").replace("'", "").replace(",", "")
        write(folder, dependencies, source(derive, use))
        check, debug = last(folder, "check"), last(folder, "build")
        print(f"{name:32} {check:8.2f} {debug:8.2f}", flush=True)
    print(f"{'from nothing':32} {'':>8} {'debug':>8}")
    syn = (
        'syn = { version = "3", default-features = false, features = ["clone-impls", "derive", '
        '"parsing", "printing", "proc-macro"] }\n'
    )
    base = None
    for name, dependencies in [
        ("ndarray and syn", NDARRAY % "" + syn),
        ("paramtree", NDARRAY % "" + PARAMTREE),
    ]:
        folder = WORK / ("from-nothing-" + name.replace(" ", "-"))
        shutil.rmtree(folder, ignore_errors=True)
        write(folder, dependencies, "")
        cargo(folder, "fetch")
        seconds = cargo(folder, "build")
        base = base or seconds
        print(f"{name:32} {'':>8} {seconds:8.2f}   ratio {seconds / base:.2f}", flush=True)


main()
