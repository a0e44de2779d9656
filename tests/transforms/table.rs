//! How exact the transforms are, as a table that stands in their documentation.
//!
//! `cargo test --test transforms table -- --nocapture` prints it as measured here; with `BLESS=1`
//! it is written to `paramtree/docs/exactness.md`. What stands there is a promise: nothing measured
//! may be worse.

use std::path::Path;
use std::{env, fs};

use crate::exactness::{self, LOGDET_EPSILONS, VALUE_ULPS};
use crate::measure::{self, ELEMENT_ULPS, NORM_EPSILONS};
use crate::{matrices, structured};

/// The worst errors of a transform: values, vjp and log-det in `f64`, then in `f32`.
pub(crate) struct Row {
    pub(crate) transform: String,
    pub(crate) has_exceptions: bool,
    pub(crate) cells: Vec<String>,
}

/// `name: row;` → a test `name`, and all rows for the table.
macro_rules! measured {
    ($($name:ident: $row:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let Row { .. } = $row;
            }
        )*

        pub(crate) fn rows() -> Vec<Row> {
            vec![$($row),*]
        }
    };
}
pub(crate) use measured;

/// A number of epsilons, rounded up.
pub(crate) fn epsilons(error: f64) -> String {
    format!("{:.1}", (error * 10.0).ceil() / 10.0)
}

/// `Lower(2, softplus)` → `Lower(softplus)`
pub(crate) fn title(name: &str) -> String {
    let Some((map, parameters)) = name.split_once('(') else {
        return name.to_owned();
    };
    let parameters = parameters.trim_end_matches(')').split(", ");
    let words: Vec<&str> = parameters
        .filter(|parameter| parameter.parse::<f64>().is_err())
        .collect();
    match &words[..] {
        [] => map.to_owned(),
        words => format!("{map}({})", words.join(", ")),
    }
}

fn table(rows: &[Row], unit: &str) -> String {
    let mut table = format!(
        "| transform | values `f64`{unit} | vjp `f64`{unit} | log-det `f64` | values `f32`{unit} \
         | vjp `f32`{unit} | log-det `f32` |\n|---|---|---|---|---|---|---|\n"
    );
    for row in rows {
        let mark = if row.has_exceptions { " †" } else { "" };
        let cells = row.cells.join(" | ");
        table.extend([format!("| `{}`{mark} | {cells} |\n", row.transform)]);
    }
    table
}

fn exceptions() -> String {
    let mut table = String::from(
        "| transform | type | what | at | error, ulp | tolerance | |\n|---|---|---|---|---|---|---|\n",
    );
    for known in exactness::EXCEPTIONS {
        table.extend([format!(
            "| `{}` | `{}` | {} | x = {} | {} | {VALUE_ULPS} | the rounding of exp x alone is up \
             to 8 ulp of the difference |\n",
            known.transform, known.precision, known.quantity, known.x, known.ulps
        )]);
    }
    for known in measure::EXCEPTIONS {
        let error = if known.most.is_finite() {
            known.most.to_string()
        } else {
            "no digit".to_owned()
        };
        table.extend([format!(
            "| `{}` | `{}` | {} | {} coordinates, the first {} | {error} | {ELEMENT_ULPS} | {} |\n",
            known.transform, known.precision, known.quantity, known.len, known.first, known.why
        )]);
    }
    table
}

fn document() -> String {
    let scalars = table(&exactness::rows(), ", ulp");
    let mut rows = structured::rows();
    rows.extend(matrices::rows());
    let structures = table(&rows, "");
    let exceptions = exceptions();
    format!(
        "# How exact\n\n\
         The worst errors against the reference values in `tests/fixtures/transforms`: results of \
         200-digit arithmetic, rounded once, at ordinary coordinates and at those where values \
         saturate, underflow or cancel. `cargo test --test transforms table -- --nocapture` prints \
         these tables as measured, and fails where a number is greater than the one here; \
         `BLESS=1` writes it here. They were measured with glibc: another system's `exp` may add \
         an ulp.\n\n\
         Maps of single numbers: values and vjp in ulp, the numbers between the result and the \
         correctly rounded one, the latter included; at most {VALUE_ULPS} are tolerated. A value \
         whose correct rounding is a bound is compared with the next number inside. Log-dets in \
         units of ε max(1, |reference|), with ε the spacing of the type at 1; at most \
         {LOGDET_EPSILONS} are tolerated. All ε are rounded up.\n\n{scalars}\n\
         Maps of vectors and matrices: values and vjp in ε of the largest element, of which \
         {NORM_EPSILONS} are tolerated, and where each element has digits of its own, also in ulp \
         of the element, of which {ELEMENT_ULPS} are tolerated. Where only ε are given, elements \
         are sums of terms of both signs: one that is nearly zero has the digits of the largest. \
         Log-dets as above.\n\n{structures}\n\
         † Apart from these, which miss their tolerance. Nothing known reaches it: the reference \
         has digits that the rounding of intermediate results, or of x alone, takes away. Among \
         several elements the tolerance in ε of the largest is kept there, too.\n\n{exceptions}\n\
         Without reference values: `Upper::softplus`, which mirrors `Lower::softplus`, and other \
         chains, in which the second map makes of the first's errors what its slope makes of \
         them. Where a bound and the rest of a value have different signs, as in `Lower`, `Upper` \
         and `Interval`, a value near zero has the digits of the bound.\n"
    )
}

/// The text with `#` for each number, and the numbers.
fn skeleton(text: &str) -> (String, Vec<f64>) {
    let (mut bones, mut numbers, mut open) = (String::new(), Vec::new(), String::new());
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() || (c == '.' && !open.is_empty()) {
            open.push(c);
            continue;
        }
        if let Ok(number) = open.trim_end_matches('.').parse() {
            bones.push('#');
            numbers.push(number);
        }
        open.clear();
        bones.push(c);
    }
    (bones, numbers)
}

#[test]
fn nothing_is_worse_than_the_table_says() {
    let measured = document();
    println!("{measured}");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("paramtree/docs/exactness.md");
    if env::var_os("BLESS").is_some() {
        fs::write(&file, &measured).unwrap();
    }
    let stands = fs::read_to_string(&file).unwrap_or_default();
    let again = "`BLESS=1 cargo test --test transforms table` rewrites it";
    for (measured, stands) in measured.lines().zip(stands.lines()) {
        let ((bones, errors), (same, promised)) = (skeleton(measured), skeleton(stands));
        assert_eq!(bones, same, "{again}");
        let worse = errors.iter().zip(&promised).any(|(now, then)| now > then);
        assert!(!worse, "measured {measured}\npromised {stands}\n{again}");
    }
    assert_eq!(measured.lines().count(), stands.lines().count(), "{again}");
}

#[test]
fn numbers_are_told_from_words() {
    let (bones, numbers) = skeleton("| `Upper(2.5)` † | 12 ulp, 0.6 ε. |");
    assert_eq!(bones, "| `Upper(#)` † | # ulp, # ε. |\n");
    assert_eq!(numbers, [2.5, 12.0, 0.6]);
    assert_eq!(title("Lower(-3, softplus)"), "Lower(softplus)");
    assert_eq!(
        title("Chain(Ordered, Positive)"),
        "Chain(Ordered, Positive)"
    );
    assert_eq!(title("Interval(-1, 1e300)"), "Interval");
}
