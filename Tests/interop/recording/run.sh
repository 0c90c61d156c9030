#!/usr/bin/env bash
# Has conversations recorded by programs that are not ours, and made into fixtures: mitmproxy between polymock and
# Python's websockets, boto3 and Chromium; agents of published back ends.
#
#     Tests/interop/recording/run.sh BINARY [mitmproxy|damages|drift|addresses|reports|files|chromium|agents ...]
#
# Installs packages.txt from PyPI into .build/interop-recording (POLYMOCK_RECORDING_ENVS: elsewhere), then takes one to
# two minutes. One line per check, what was left out and why, "N passed, N failed, N skipped". Exit status 0: nothing
# failed.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ] || [ -d "$1" ]; then
    printf 'usage: %s BINARY [PART ...]\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
. "$here/../lib/common.sh"
end_cleanly

need_python
envs=${POLYMOCK_RECORDING_ENVS:-$here/../../../.build/interop-recording}
mkdir -p "$envs"
envs=$(realpath "$envs")
for name in proxy schema backends framework; do
    awk -v name="$name" '$1 == name { print $2 }' "$here/packages.txt" >"$scratch/$name.txt"
    if cmp -s "$scratch/$name.txt" "$envs/$name/wanted"; then continue; fi
    say "installing from PyPI: $(tr '\n' ' ' <"$scratch/$name.txt")"
    make_venv "$envs/$name"
    if "$envs/$name/bin/python" -m pip install --quiet --disable-pip-version-check -r "$scratch/$name.txt" \
        2>"$scratch/pip.log"; then
        cp "$scratch/$name.txt" "$envs/$name/wanted"
    elif [ "$name" = proxy ]; then
        say "skipped all: PyPI does not give mitmproxy: $(tail -1 "$scratch/pip.log")"
        exit 0
    else
        say "skipped the $name: PyPI does not give them: $(tail -1 "$scratch/pip.log")"
    fi
done
if [ -f "$envs/schema/wanted" ] && [ ! -f "$envs/schema/junit-10.xsd" ]; then
    # Pytest's sources, not its wheel, have the schema that Jenkins publishes for its xunit plugin.
    source=$(awk '$1 == "source" { print $2 }' "$here/packages.txt")
    "$envs/schema/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
        -d "$scratch" "$source" 2>"$scratch/pip.log" &&
        tar -xzOf "$scratch/${source%%==*}-${source##*==}.tar.gz" --wildcards '*/junit-10.xsd' >"$scratch/junit.xsd" &&
        mv "$scratch/junit.xsd" "$envs/schema/junit-10.xsd" || say "PyPI does not give $source: $(tail -1 "$scratch/pip.log")"
fi
need_chromium
POLYMOCK_CHROMIUM=$(command -v "$chromium") POLYMOCK_RECORDING_ENVS=$envs \
    "$envs/proxy/bin/python" "$here/run.py" "$binary" "$@"
