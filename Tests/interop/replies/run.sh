#!/usr/bin/env bash
# Tries the scripts of Shared/Docs/replies-from-elsewhere.md: all replies, those that no rule gives, a stub of a model.
#
#     Tests/interop/replies/run.sh BINARY
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ] || [ -d "$1" ]; then
    printf 'usage: %s BINARY\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
. "$here/../lib/common.sh"
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; stop_server || true; rm -rf "$scratch"' EXIT
need_python_websockets
need_node
passed=0

# begin NAME COMMAND...: a program in the background; sets `line` to the first line it prints.
begin() {
    local name=$1
    shift
    mkfifo "$scratch/$name"
    "$@" >"$scratch/$name" 2>&1 </dev/null &
    pids+=($!)
    exec 8<"$scratch/$name"
    IFS= read -r -t 30 line <&8 || die "$name says nothing"
    cat <&8 >>"$scratch/log" 8<&- &
    exec 8<&-
}

# expect NAME WORDS UNWANTED FLAG...: a talk in which WORDS are said and UNWANTED are not.
expect() {
    local name=$1 words=$2 unwanted=$3
    shift 3
    "$binary" chat --url "$base" "$@" --timeout 30 >"$scratch/talk" 2>&1 </dev/null || true
    grep -qF "$words" "$scratch/talk" || die "$name: $(cat "$scratch/talk" "$scratch/log" 2>/dev/null)"
    if [ -n "$unwanted" ] && grep -qF "$unwanted" "$scratch/talk"; then die "$name: $(cat "$scratch/talk")"; fi
    passed=$((passed + 1))
    say "ok $name"
}

begin stub python3 "$here/stub.py"
stub=$line
start_server "$binary"
for script in "$python $here/replies.py" "node $here/replies.mjs"; do
    name=${script##*.}
    # shellcheck disable=SC2086
    begin "plain-$name" $script "$base"
    expect "$name: all replies" "You said: Hello?" "" --token mock:quiet --say "Hello?"
    expect "$name: all replies, Amazon Connect" "You said: Hello?" "" --connect --token mock:quiet --say "Hello?"
    expect "$name: a rule replies first" "For how many people?" "You said" --token mock:booking@pace=instant \
        --say "a table, please"
    kill "${pids[-1]}"
    # shellcheck disable=SC2086
    MODEL_URL=$stub MODEL=tiny MODEL_KEY=key begin "model-$name" $script "$base"
    expect "$name: a model replies, and knows what was said" "tiny heard one and two" "" --token mock:quiet \
        --say one --say two
    kill "${pids[-1]}"
    # shellcheck disable=SC2086
    MODEL_URL=$stub MODEL_KEY=wrong begin "refused-$name" $script "$base"
    "$binary" chat --url "$base" --token mock:quiet --say one --timeout 3 >/dev/null 2>&1 </dev/null || true
    grep -q "no reply:" "$scratch/log" || die "$name: a refusal is not printed"
    passed=$((passed + 1))
    say "ok $name: a refusal of the model is printed"
    kill "${pids[-1]}"
    : >"$scratch/log"
done
say "$passed passed, 0 failed"
