#!/usr/bin/env bash
# Type-checks each folder of the core with only the folders that it may use, so that an arrow in the wrong direction is
# an error. Wants a debug build (for the modules of the dependencies). The table is that of CONTRIBUTING.md.
set -euo pipefail
cd "$(dirname "$0")/.."
modules=${1:-.build/debug}/Modules
[ -d "$modules" ] || { echo "no modules in $modules: build first" >&2; exit 1; }

# folder: the folders below it
layers=(
    "Support:"
    "Mime:Support"
    "Monitor:Support"
    "Messages:Mime Monitor Support"
    "Cookies:Messages Mime Monitor Support"
    "Cache:Messages Mime Monitor Support"
    "Observability:Messages Mime Monitor Support"
    "Chain:Observability Cache Cookies Messages Mime Monitor Support"
    "Streaming:Messages Mime Monitor Support"
    "Client:Chain Observability Cache Cookies Messages Mime Monitor Streaming Support"
    "Realtime:Client Streaming Chain Observability Cache Cookies Messages Mime Monitor Support"
    "Downloads:Client Streaming Chain Observability Cache Cookies Messages Mime Monitor Support"
    "Uploads:Client Streaming Chain Observability Cache Cookies Messages Mime Monitor Support"
)
flags=(-swift-version 6 -package-name simorgh -module-name SimorghCore -parse-as-library -I "$modules"
    -I Sources/CSimorghNetlink/include)
# Not MemberImportVisibility: the build asks for it, and a whole module at once, which is ten times as fast, stumbles over
# the members of C's structures.
for feature in ExistentialAny InternalImportsByDefault NonisolatedNonsendingByDefault; do
    flags+=(-enable-upcoming-feature "$feature")
done

known=" "
status=0
for layer in "${layers[@]}"; do
    folder=${layer%%:*}
    known+="$folder "
    files=()
    for part in $folder ${layer#*:}; do
        while IFS= read -r file; do files+=("$file"); done < <(find "Sources/SimorghCore/$part" -name '*.swift')
    done
    if ! swiftc -typecheck -wmo "${flags[@]}" "${files[@]}"; then
        echo "layers: $folder uses more than it may (${layer#*:})" >&2
        status=1
    fi
done
for folder in Sources/SimorghCore/*/; do
    folder=$(basename "$folder")
    case "$known" in *" $folder "*) ;; *) [[ $folder == *.docc ]] || { echo "layers: $folder has no row" >&2; status=1; } ;; esac
done
[ $status = 0 ] && echo "layers: each folder keeps to what lies below it"
exit $status
