#!/bin/sh
# Lists every item whose stock is at or below its minimum, by shelf.
# Usage: tools/low-stock.sh [stock.csv]
set -eu

file="${1:-stock/stock.csv}"

if [ ! -r "$file" ]; then
    echo "low-stock: cannot read $file" >&2
    exit 1
fi

awk -F, '
    NR == 1 { next }
    $2 <= $3 { printf "%s\t%s\t%d of %d\n", $4, $1, $2, $3 }
' "$file" | sort
