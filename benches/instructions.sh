#!/usr/bin/env bash
# Counts what flatten and unflatten execute beside the loops written by hand
# (valgrind's callgrind), and what they allocate (the difference that ten more calls make).
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(cargo bench --bench walk --no-run --message-format=json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*walk[^"]*\)".*/\1/p' | tail -n 1)

instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no \
        --toggle-collect="*::$1" "$binary" --count "$1" 1 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

allocations() {
    valgrind --tool=memcheck "$binary" --count "$1" "$2" 2>&1 |
        sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' | tr -d ,
}

printf '%-20s %10s %10s %7s %12s\n' case tree 'by hand' ratio allocations
for case in flatten_arrays unflatten_arrays flatten_scalars unflatten_scalars; do
    tree=$(instructions "${case}_tree")
    hand=$(instructions "${case}_hand")
    more=$(($(allocations "${case}_tree" 11) - $(allocations "${case}_tree" 1)))
    printf '%-20s %10d %10d %7.2f %12d\n' "$case" "$tree" "$hand" \
        "$(echo "scale=4; $tree / $hand" | bc)" "$more"
done
