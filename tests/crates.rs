//! Crates that reach paramtree in other ways than by its name, built by Cargo as users build
//! theirs.

use std::env;
use std::path::Path;
use std::process::{Command, Output};

/// `cargo check` in the workspace of `tests/crates`.
fn check(arguments: &[&str]) -> Output {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crates");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crates");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["check", "--quiet", "--color=never"])
        .args(arguments);
    let cargo = cargo.current_dir(workspace).env("CARGO_TARGET_DIR", target);
    // Those of the outer build would build everything anew.
    let cargo = cargo
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.output().expect("Cargo starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn crates_that_say_where_paramtree_is_compile() {
    // They deny warnings.
    let output = check(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn crates_that_do_not_say_it_are_told_how() {
    for (name, path) in [("lost", "path::to::paramtree"), ("lost_renamed", "pt")] {
        let output = check(&["--package", name]);
        let stderr = stderr(&output);
        assert!(!output.status.success(), "{name} compiles");
        let hint = format!("say where it is: `#[module(crate = {path})]`");
        assert!(stderr.contains(&hint), "{stderr}");
        assert!(stderr.contains("1 previous error"), "{stderr}");
    }
}
