//! The manifest of the package that is built, for one error: `paramtree` is not there by
//! this name, and the compiler could only say so.

use std::{env, fs};

/// What to do if the manifest surely does not name the runtime crate: the package knows it
/// under another name or through another crate.
pub(crate) fn lacks_runtime() -> Option<String> {
    let path = env::var_os("CARGO_MANIFEST_PATH")?;
    let manifest = fs::read_to_string(path).ok()?;
    message(&manifest)
}

fn message(manifest: &str) -> Option<String> {
    let (renamed, rest): (Vec<_>, Vec<_>) = manifest
        .lines()
        .partition(|line| line.contains("package") && line.contains("\"paramtree\""));
    if rest.iter().any(|line| names_runtime(line)) {
        return None;
    }
    let name = renamed.iter().find_map(|line| line.split_once('='));
    let name = match name.map(|(name, _)| name.trim()) {
        Some(name) if name != "package" => name.replace('-', "_"),
        _ => "path::to::paramtree".to_owned(),
    };
    Some(format!(
        "no crate is named `paramtree` here, say where it is: `#[module(crate = {name})]`"
    ))
}

/// Whether the word stands there, and not within a path or a longer name.
fn names_runtime(line: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
    line.match_indices("paramtree").any(|(start, word)| {
        !line[..start].ends_with(is_letter) && !line[start + word.len()..].starts_with(is_letter)
    })
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn manifests_that_name_the_crate_are_fine() {
        for manifest in [
            "[dependencies]\nparamtree = \"1\"",
            "[dependencies]\nparamtree.workspace = true",
            "[dev-dependencies.paramtree]\npath = \"x\"",
            "[target.'cfg(unix)'.dependencies]\n\"paramtree\" = { path = \"x\" }",
            "[package]\nname = \"paramtree\"",
            "dependencies = { paramtree = \"1\", pt = \"2\" }",
        ] {
            assert_eq!(message(manifest), None, "{manifest}");
        }
    }

    #[test]
    fn others_are_told_what_to_write() {
        for (manifest, name) in [
            (
                "[dependencies]\nfacade = { path = \"../paramtree\" }",
                "path::to::paramtree",
            ),
            ("[package]\nname = \"my-paramtree\"", "path::to::paramtree"),
            (
                "[dependencies]\nparamtree-derive = \"1\"",
                "path::to::paramtree",
            ),
            ("p-t = { package = \"paramtree\", version = \"1\" }", "p_t"),
            (
                "[dependencies.pt]\npackage = \"paramtree\"",
                "path::to::paramtree",
            ),
        ] {
            let message = message(manifest).expect("the crate is not named");
            assert!(
                message.ends_with(&format!("`#[module(crate = {name})]`")),
                "{message}"
            );
        }
    }
}
