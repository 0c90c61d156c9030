#!/usr/bin/env bash
# Executes every block of Python, JavaScript and sh on the pages, the steps of yaml blocks, and the examples of the help
# texts, against a built polymock.
#
#     Tests/interop/pages/run.sh BINARY
#
# The blocks of one page are one program. Blocks of Swift are tests (DocPagesTests), json5 is GuideTests'. A block of any
# other kind but text and dockerfile (read, not built: that takes a network) fails the run: nothing is skipped. boto3 is
# installed by Tests/interop/connect, whose check D-1 executes the block that needs it.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
pages=$(cd "$here/../../../Shared/Docs" && pwd)
scratch=$(mktemp -d)
. "$here/../lib/common.sh"
trap 'stop_server || true; rm -rf "$scratch"' EXIT

command -v curl >/dev/null || apt_install curl
need_python_websockets
need_node
start_server "$binary"

# blocks PAGE LANGUAGE: their lines, one after the other.
blocks() {
    awk -v open="\`\`\`$2" '$0 == open { on = 1; next } $0 == "```" { on = 0 } on' "$1"
}

for page in "$pages"/*.md; do
    name=$(basename "$page" .md)
    unknown=$(grep -oE '^```[a-z0-9]+' "$page" | sort -u | grep -vxE '```(swift|python|js|sh|text|yaml|dockerfile|json5)' || true)
    [ -z "$unknown" ] || die "$name has blocks of $unknown, which nothing executes"
    count=$(grep -cxE '```(python|js)' "$page" || true)
    [ "$count" != 0 ] || continue
    blocks "$page" python >"$scratch/page.py"
    blocks "$page" js >"$scratch/page.mjs"
    if grep -q '^import boto3' "$scratch/page.py"; then
        say "ok $name: its block with boto3 is executed by Tests/interop/connect/run.sh D-1"
        continue
    fi
    if [ -s "$scratch/page.py" ]; then POLYMOCK_URL=$base "$python" "$scratch/page.py"; fi
    if [ -s "$scratch/page.mjs" ]; then POLYMOCK_URL=$base node "$scratch/page.mjs"; fi
    say "ok $name: $count blocks executed, none skipped"
done

root=$here/../../..
python3 "$here/commands.py" "$binary" "$root" "$root/README.md" "$root/fixtures/README.md" \
    "$pages"/*.md "$root"/Client/PolyMessaging/Docs/*.md
