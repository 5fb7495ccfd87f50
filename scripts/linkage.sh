#!/usr/bin/env bash
# Shows that a program which imports Simorgh links neither FoundationNetworking, libcurl nor ICU, and neither metrics nor
# tracing: builds the one under Tests/Linkage against this package, and asks the loader what it needs, and it what it has.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
# The plan of the build before it is of this package, which has no such program: SwiftPM must make another.
swift build --package-path Tests/Linkage --scratch-path "$root/.build" --disable-build-manifest-caching --quiet
program=$(swift build --package-path Tests/Linkage --scratch-path "$root/.build" --show-bin-path)/linkage
libraries=$(ldd "$program")
forbidden='libFoundation\.so|libFoundationNetworking|libFoundationInternationalization|lib_FoundationICU|libcurl|libicu'
if grep -E "$forbidden" <<<"$libraries"; then
    echo "linkage: import Simorgh links what it must not" >&2
    exit 1
fi
# What SimorghTelemetry brings is linked into the program itself, where it is.
symbols=$(nm --defined-only "$program")
if grep -m 3 -E ' \$s(11CoreMetrics|7Tracing|15Instrumentation)' <<<"$symbols"; then
    echo "linkage: import Simorgh links metrics or tracing, which are for who wants them" >&2
    exit 1
fi
"$program"
echo "linkage: of Foundation, $(grep -oE 'libFoundation[A-Za-z]*' <<<"$libraries" | sort -u | paste -sd' '), and no libcurl or ICU"
