//! The order of the modules: each uses only what stands before it, and no file is long.

use std::fs;
use std::path::{Path, PathBuf};

/// `paramtree`, from the ground up. `lib.rs` stands above all, where rustfmt sorts the
/// modules by name.
const RUNTIME: &[&str] = &[
    "refusal",
    "real",
    "transform",
    "leaf",
    "at",
    "erased",
    "element",
    "error",
    "module",
    "hash",
    "impls",
    "wrapper",
    "dynamic",
    "zeros",
    "fingerprint",
    "structure",
    "pattern",
    "mask",
    "by",
    "partition",
    "layout",
    "summary",
    "optim",
];

/// `paramtree-derive`, from what was written to what it becomes.
const DERIVE: &[&str] = &[
    "ctxt", "attr", "check", "ast", "mentions", "bound", "codegen", "manifest", "expand", "tests",
];

const LONGEST: usize = 400;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a directory, with its path from there.
fn sources(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(directory).unwrap().to_owned();
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The top module that a file belongs to: `layout` for `layout/check.rs`.
fn top_module(file: &Path) -> String {
    let first = file.components().next().unwrap().as_os_str();
    let first = first.to_str().unwrap();
    first.strip_suffix(".rs").unwrap_or(first).to_owned()
}

/// The code, line for line, without comments.
fn code(source: &str) -> String {
    let lines = source.lines();
    let bare = lines.map(|line| line.split("//").next().unwrap_or(line));
    bare.collect::<Vec<_>>().join("\n")
}

/// The top modules that code names by `crate::`, each with its line.
fn named(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, prefix) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c == '$' || is_name(c)) {
            continue;
        }
        let line = 1 + code[..at].matches('\n').count();
        let path = &code[at + prefix.len()..];
        match path.strip_prefix('{') {
            Some(group) => found.extend(members(group).into_iter().map(|name| (line, name))),
            None => found.push((line, first_name(path))),
        }
    }
    found
}

fn is_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn first_name(path: &str) -> &str {
    let path = path.trim_start();
    &path[..path.find(|c| !is_name(c)).unwrap_or(path.len())]
}

/// The first names of `a, b::c, d::{e, f}}`, up to the brace that closes it.
fn members(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                found.push(first_name(&group[start..i]));
                start = i + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// What a file of a crate with this order uses that it should not.
fn upward_uses(file: &Path, source: &str, order: &[&str]) -> Vec<String> {
    let own = top_module(file);
    let Some(height) = order.iter().position(|module| *module == own) else {
        return vec![format!(
            "{}: `{own}` has no place in the order",
            file.display()
        )];
    };
    let (code, place) = (code(source), file.display());
    let above = named(&code)
        .into_iter()
        .filter(|(_, name)| !order[..=height].contains(name));
    above
        .map(|(line, name)| format!("{place}:{line}: `{own}` uses `{name}`"))
        .collect()
}

/// Where a file leaves its top module by `super::`.
fn escapes(file: &Path, source: &str) -> Vec<String> {
    let parts: Vec<_> = file.components().collect();
    let is_top = parts.len() == 1 || (parts.len() == 2 && file.ends_with("mod.rs"));
    let mut inline = None;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(code(source).lines()) {
        let indent = line.len() - line.trim_start().len();
        let is_module = line.contains("mod ") && line.trim_end().ends_with('{');
        match inline {
            None if is_module => inline = Some(indent),
            Some(outer) if indent == outer && line.trim_end().ends_with('}') => inline = None,
            _ => {}
        }
        let leaves = is_top && inline.is_none() && line.contains("super::");
        if leaves || line.contains("super::super::") {
            found.push(format!("{}:{number}: {}", file.display(), line.trim()));
        }
    }
    found
}

/// The modules that `lib.rs` declares, those within it apart.
fn declared(lib: &str) -> Vec<&str> {
    let declaration =
        |line: &'_ str| -> bool { line.starts_with("mod ") || line.starts_with("pub mod ") };
    let lines = lib.lines().filter(|line| declaration(line));
    lines
        .filter_map(|line| line.strip_suffix(';')?.rsplit(' ').next())
        .collect()
}

fn check(package: &str, order: &[&str]) {
    let directory = root().join(package).join("src");
    let all = sources(&directory);
    let lib = fs::read_to_string(directory.join("lib.rs")).unwrap();
    let mut modules = declared(&lib);
    let mut expected = order.to_vec();
    modules.sort_unstable();
    expected.sort_unstable();
    assert_eq!(modules, expected, "every module of {package} has a place");

    let below = all.iter().filter(|(file, _)| file != Path::new("lib.rs"));
    let wrong: Vec<String> = below
        .filter(|(file, _)| !file.starts_with("tests/expected"))
        .flat_map(|(file, source)| {
            let mut wrong = upward_uses(file, source, order);
            wrong.extend(escapes(file, source));
            wrong
        })
        .collect();
    assert!(wrong.is_empty(), "{package}:\n{}", wrong.join("\n"));
}

#[test]
fn a_module_of_the_runtime_uses_only_what_stands_before_it() {
    check("paramtree", RUNTIME);
}

#[test]
fn a_module_of_the_derive_uses_only_what_stands_before_it() {
    check("paramtree-derive", DERIVE);
}

#[test]
fn no_file_is_long() {
    let mut long = Vec::new();
    for part in [
        "paramtree",
        "paramtree-derive",
        "tests",
        "examples",
        "benches",
    ] {
        for (file, source) in sources(&root().join(part)) {
            let lines = source.lines().count();
            if lines > LONGEST {
                long.push(format!("{part}/{}: {lines} lines", file.display()));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn what_breaks_the_order_is_found() {
    let order = ["low", "middle", "high"];
    let uses = |file: &str, source| upward_uses(Path::new(file), source, &order);
    assert!(uses("middle.rs", "use crate::low::X; // not crate::high\n").is_empty());
    assert!(uses("middle/part.rs", "use crate::middle::other::Y;").is_empty());
    assert!(uses("high.rs", "    $crate::anything::at_all").is_empty());
    let found = uses("middle/part.rs", "\nfn f(x: crate::high::Z) {}");
    assert_eq!(found, ["middle/part.rs:2: `middle` uses `high`"]);
    let group =
        "use crate::low::A;\nuse crate::{\n    low, high::{self, Z},\n    middle::{low},\n};";
    let found = uses("low.rs", group);
    let expected = [
        "low.rs:2: `low` uses `high`",
        "low.rs:2: `low` uses `middle`",
    ];
    assert_eq!(found, expected);
    assert_eq!(uses("new.rs", "").len(), 1);
}

#[test]
fn what_leaves_its_module_is_found() {
    let leaves = |file: &str, source| escapes(Path::new(file), source).len();
    assert_eq!(leaves("low.rs", "use super::high::X;"), 1);
    assert_eq!(
        leaves("low/mod.rs", "fn f() {\n    super::high::f();\n}"),
        1
    );
    assert_eq!(leaves("low/part.rs", "use super::other::X;"), 0);
    assert_eq!(leaves("low/part.rs", "use super::super::high::X;"), 1);
    let inline = "mod tests {\n    use super::*;\n}\n";
    assert_eq!(leaves("low.rs", inline), 0);
    assert_eq!(leaves("low.rs", &format!("{inline}use super::high::X;")), 1);
}
