#!/usr/bin/env bash
# What users of the published SDK see: run.sh BINARY
#
# sdk.py is a client with its manners, checks.py what has to come out of them. Python's own library only.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY\n' "$0" >&2
    exit 2
fi
scratch=$(mktemp -d)
. "$here/../lib/common.sh"
end_cleanly

need_python
mkdir "$scratch/fixtures"
printf '{ fixture: 1, name: "Silent", about: "Says nothing." }\n' >"$scratch/fixtures/silent.json5"
words=$(printf 'word%d ' {0..58})word59
cat >"$scratch/fixtures/babble.json5" <<END
{ fixture: 1, name: "Babble", pace: "p", paces: { p: { think: "5ms", chunk: "1 word", every: "3ms" } },
  greeting: [ { say: "Hello" } ], anywhere: [ { hears: "*", replies: [ { say: "$words" } ] } ] }
END
start_server "$(realpath "$1")" --log text --fixtures "$scratch/fixtures"
if ! python3 "$here/checks.py" "$base"; then
    tail -30 "$scratch/server.log" | cut -c1-160
    die "the published SDK"
fi
