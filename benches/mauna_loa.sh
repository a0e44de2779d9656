#!/bin/sh
# The fit of examples/mauna_loa against scikit-learn's, both timed on this machine in one run.
# Needs `pip install scikit-learn`. On a busy machine the threads of its BLAS wait for each other, and
# its time is several times what it is at rest: OPENBLAS_NUM_THREADS=1 is steadier there, and fairer.
set -eu
cd "$(dirname "$0")/.."

# Built first, so that the compiler does not run beside scikit-learn.
cargo build --release --example mauna_loa
report=$(python3 benches/mauna_loa_sklearn.py) || { printf '%s\n' "$report"; exit 1; }
printf '%s\n\n' "$report"
seconds=$(printf '%s\n' "$report" | sed -n 's/^seconds //p')
cargo run --release --example mauna_loa -- --sklearn-seconds "$seconds"
