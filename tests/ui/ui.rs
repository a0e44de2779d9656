//! What the compiler says to whoever misuses the derive: one misuse for each file, in
//! the folder of the attribute or else of the thing that is misused.
//!
//! `TRYBUILD=overwrite cargo test -p paramtree-ui` rewrites the `.stderr` files, which are meant to
//! be read: one error, at the token to change, that says the way out. `README.md` is the
//! table of them all; `BLESS=1` rewrites it.

use std::path::Path;
use std::{env, fs};

#[test]
fn ui() {
    trybuild::TestCases::new().compile_fail("*/*.rs");
}

#[test]
fn the_table_is_right_and_messages_are_short() {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut rows = Vec::new();
    for folder in entries(ui).into_iter().filter(|path| path.is_dir()) {
        let said = entries(&folder);
        let said = said
            .iter()
            .filter(|path| path.extension() == Some("stderr".as_ref()));
        rows.extend(said.map(|path| row(path)));
    }
    let mut lines: Vec<usize> = rows.iter().map(|(_, lines)| *lines).collect();
    lines.sort_unstable();
    let median = lines[lines.len() / 2];
    assert!(median <= 12, "the median message has {median} lines");

    let rows: Vec<&str> = rows.iter().map(|(row, _)| row.as_str()).collect();
    let table = format!(
        "# What the compiler says\n\n{} misuses; the median message has {median} lines. Files \
         with several errors hold several mistakes, all of which come out in one build.\n\n\
         | misuse | file | lines | errors |\n|---|---|---:|---:|\n{}\n",
        rows.len(),
        rows.join("\n")
    );
    let readme = ui.join("README.md");
    if env::var_os("BLESS").is_some() {
        fs::write(&readme, &table).expect("the table can be written");
    }
    let stands = fs::read_to_string(&readme).unwrap_or_default();
    assert_eq!(
        stands, table,
        "`BLESS=1 cargo test -p paramtree-ui` rewrites it"
    );
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths
}

/// A row of the table, and the number of lines of the message.
fn row(stderr: &Path) -> (String, usize) {
    let read = |path: &Path| fs::read_to_string(path).expect("the file can be read");
    let (said, source) = (read(stderr), read(&stderr.with_extension("rs")));
    let misuse = source.lines().next().unwrap_or_default();
    let misuse = misuse
        .trim_start_matches("//!")
        .trim()
        .trim_end_matches('.');
    let lines = said.trim_end().lines().count();
    let errors = said
        .lines()
        .filter(|line| line.starts_with("error"))
        .count();
    let folder = stderr
        .parent()
        .and_then(Path::file_name)
        .unwrap_or_default();
    let file = stderr.file_stem().unwrap_or_default();
    let file = format!("{}/{}", folder.display(), file.display());
    let row = format!(
        "| {} | `{file}` | {lines} | {errors} |",
        misuse.replace('|', "\\|")
    );
    (row, lines)
}
