#!/usr/bin/env bash
# Shows that a program which imports Simorgh links neither FoundationNetworking, libcurl nor ICU: builds the one under
# Tests/Linkage against this package, and asks the loader what it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
swift build --package-path Tests/Linkage --scratch-path "$root/.build" --quiet
program=$(swift build --package-path Tests/Linkage --scratch-path "$root/.build" --show-bin-path)/linkage
libraries=$(ldd "$program")
forbidden='libFoundation\.so|libFoundationNetworking|libFoundationInternationalization|lib_FoundationICU|libcurl|libicu'
if grep -E "$forbidden" <<<"$libraries"; then
    echo "linkage: import Simorgh links what it must not" >&2
    exit 1
fi
"$program"
echo "linkage: of Foundation, $(grep -oE 'libFoundation[A-Za-z]*' <<<"$libraries" | sort -u | paste -sd' '), and no libcurl or ICU"
