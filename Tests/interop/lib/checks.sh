# Checks on what curl got. Sourced; expects `scratch`, a temporary folder, and `base`, the server's URL.

passed=0
failed=0

# check NAME ACTUAL EXPECTED
check() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
        printf 'ok %s\n' "$1"
    else
        failed=$((failed + 1))
        printf 'FAIL %s: got "%s", expected "%s"\n' "$1" "$2" "$3"
    fi
}

# request METHOD PATH [CURL OPTION...]: fills $status, $scratch/head and $scratch/body.
request() {
    local method=$1 path=$2
    shift 2
    : >"$scratch/body"
    status=$(curl -sS --max-time 20 -X "$method" -D "$scratch/head" -o "$scratch/body" -w '%{http_code}' "$@" \
        "$base$path") || status="curl failed"
}

# header NAME: the value, or nothing.
header() {
    tr -d '\r' <"$scratch/head" | awk -v want="$1" 'BEGIN { want = tolower(want) ":" }
        tolower(substr($0, 1, length(want))) == want { sub(/^[^:]*:[ \t]*/, ""); print; exit }'
}

# json NAME: a member of the body as JSON text, "absent" without it, "not JSON" for anything else.
json() {
    python3 -c '
import json, sys
try:
    body = json.load(open(sys.argv[1]))
    value = body.get(sys.argv[2], Ellipsis)
    print("absent" if value is Ellipsis else value if isinstance(value, str) else json.dumps(value))
except ValueError:
    print("not JSON")' "$scratch/body" "$1"
}

# lists HEADER WORD: yes when the comma-separated header has the word, in any case, or is "*".
lists() {
    if header "$1" | tr ',' '\n' | tr -d ' ' | grep -qixE "$2|\*"; then echo yes; else echo no; fi
}

# refused NAME STATUS MESSAGE, after a request.
refused() { check "$1: $2 $3" "$status $(json message)" "$2 $3"; }

# Prints the totals; fails when a check did.
summary() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" = 0 ]
}
