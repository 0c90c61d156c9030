#!/usr/bin/env bash
# Who may use the control API, with curl: control.sh http://127.0.0.1:PORT
# Foreign origins, foreign host names (DNS rebinding), missing content types; and what loopback may do.
set -euo pipefail

base=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. "$(dirname "$0")/../lib/checks.sh"

port=${base##*:}
json_type=(-H 'Content-Type: application/json')
fault='{"at":"heartbeat 900","do":{"drop":"connection"},"tag":"nobody"}'

faults() { curl -sS --max-time 20 "$base/_mock/faults" | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["faults"]))'; }

request GET /_mock/health
check "health is 200" "$status" 200
check "and says so" "$(json status)" ok
request GET /_mock/openapi.json
check "the description is served" "$status $(json openapi | cut -c1-2)" "200 3."

# ---- host names
request GET /_mock/sessions -H "Host: rebound.example:$port"
check "a foreign Host reads nothing" "$status" 403
request POST /_mock/faults "${json_type[@]}" -H "Host: rebound.example:$port" -d "$fault"
check "a foreign Host writes nothing" "$status" 403
request GET /_mock/sessions -H "Host: localhost:$port"
check "localhost is at home" "$status" 200
request GET /_mock/sessions -H "Host: [::1]:$port"
check "so is ::1" "$status" 200

# ---- origins
request POST /_mock/faults "${json_type[@]}" -H 'Origin: https://evil.example' -d "$fault"
check "a foreign Origin writes nothing" "$status" 403
request POST /_mock/faults "${json_type[@]}" -H 'Origin: null' -d "$fault"
check "nor does the origin null" "$status" 403
request DELETE /_mock/faults "${json_type[@]}" -H 'Origin: https://evil.example'
check "nor deletes" "$status" 403
request OPTIONS /_mock/faults -H 'Origin: https://evil.example' -H 'Access-Control-Request-Method: POST'
check "a preflight grants nothing" "$(header Access-Control-Allow-Origin)" ""
request GET /_mock/feed -H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13' \
    -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==' -H 'Origin: https://evil.example'
check "the feed stays shut for a foreign Origin" "$status" 403

# ---- content types
request POST /_mock/faults -H 'Content-Type: text/plain' -d "$fault"
check "a body that is not JSON by its type is 415" "$status" 415
request POST /_mock/faults -H 'Content-Type:' -d "$fault"
check "so is one without a type" "$status" 415
check "nothing was added by any of these" "$(faults)" 0

# ---- at home
request POST /_mock/faults "${json_type[@]}" -H "Origin: $base" -d "$fault"
check "the server's own pages may write" "$status" 200
check "and it is added" "$(faults)" 1
request DELETE /_mock/faults "${json_type[@]}"
check "and taken away" "$status $(faults)" "200 0"
request POST /_mock/faults "${json_type[@]}" -d '{"at":"replay 2","do":{"drop":"connection"}}'
check "a misspelt moment is 400" "$status" 400
check "with the likely spelling" "$(grep -c 'reply' "$scratch/body")" 1
request GET /_mock/sessions/nobody
check "a session that nobody knows is 404" "$status" 404
request GET /_mock/metrics
check "metrics are text for Prometheus" "$status $(header Content-Type | cut -d';' -f1)" "200 text/plain"
python3 - "$scratch/body" <<'PY' && check "and parse line by line" yes yes || check "and parse line by line" no yes
import re, sys
names, typed = set(), {}
for line in open(sys.argv[1]):
    line = line.rstrip("\n")
    if line.startswith("# TYPE "):
        typed[line.split()[2]] = line.split()[3]
    elif line and not line.startswith("#"):
        match = re.fullmatch(r'([a-z_:][a-z0-9_:]*)(\{[^}]*\})? (-?[0-9.e+]+|NaN|\+Inf)', line)
        assert match, line
        names.add(match[1])
assert names <= set(typed), names - set(typed)
assert sum(kind == "counter" for kind in typed.values()) >= 12, typed
assert all(name.endswith("_total") for name, kind in typed.items() if kind == "counter"), typed
PY

summary
