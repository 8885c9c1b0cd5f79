#!/bin/sh
# Menampilkan barang yang stoknya sudah sampai batas minimum, urut rak.
# Cara pakai: alat/stok-menipis.sh [stok.csv]
set -eu

berkas="${1:-stok/stok.csv}"

if [ ! -r "$berkas" ]; then
    echo "stok-menipis: tidak bisa membaca $berkas" >&2
    exit 1
fi

awk -F, '
    NR == 1 { next }
    $2 <= $3 { printf "%s\t%s\t%d dari %d\n", $4, $1, $2, $3 }
' "$berkas" | sort
