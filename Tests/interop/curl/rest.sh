#!/usr/bin/env bash
# The REST half with curl: rest.sh http://127.0.0.1:PORT
# Statuses, exact messages (Shared/Docs/protocol.md#token-request), CORS preflight and plain HTTP manners.
set -euo pipefail

base=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. "$(dirname "$0")/../lib/checks.sh"

token_path=/api/v1/access-token
session_path=/api/v1/sessions
good=(-H 'X-Token: webchat' -H 'X-Host: www.example.com')

# ---- access-token
request POST $token_path "${good[@]}" -H 'X-Polyai-Correlation-Id: 6E3C9F6E-0000-4000-8000-00000000C0DE'
check "a token is 200" "$status" 200
token=$(json access_token)
check "the token is a JWT" "$(printf %s "$token" | tr -cd . | wc -c | tr -d ' ')" 2
check "token_type" "$(json token_type)" Bearer
check "expires_in" "$(json expires_in)" 86400
check "the answer is JSON" "$(header Content-Type | cut -d';' -f1)" application/json
check "the correlation id comes back" "$(header X-Polyai-Correlation-Id)" 6E3C9F6E-0000-4000-8000-00000000C0DE
request POST $token_path "${good[@]}" -d ''
check "an empty body will do" "$status" 200
request POST $token_path "${good[@]}" -H 'Content-Type: text/plain' -d '[1, 2'
check "any body will do" "$status" 200
request POST $token_path/ "${good[@]}"
check "a trailing slash will do" "$status" 200

missing="Missing authentication headers"
request POST $token_path -H 'X-Host: www.example.com'
refused "no X-Token" 401 "$missing"
request POST $token_path -H 'X-Token: webchat'
refused "no X-Host" 401 "$missing"
request POST $token_path -H 'X-Token;' -H 'X-Host: www.example.com'
refused "an empty X-Token" 401 "$missing"
request POST $token_path -H 'X-Token: mock:bookin' -H 'X-Host: www.example.com'
check "an unknown fixture in a mock: token is refused" "$status" 401
check "with the likely spelling" "$(json error_message | grep -c '"booking"')" 1
request POST $token_path -H 'X-Token: mock:booking@seed=7' -H 'X-Host: www.example.com'
check "a scenario in the token is accepted" "$status" 200

# ---- the error body
request POST $token_path -H 'X-Polyai-Correlation-Id: C0DE'
check "error: success" "$(json success)" false
check "error: message" "$(json message)" "$missing"
check "error: error" "$(json error)" "$missing"
check "error: error_message" "$(json error_message)" "$missing: X-Token and X-Host missing or empty"
check "error: error_code is a string" "$(json error_code | grep -cE '^[A-Z][A-Z_]+$')" 1
check "error: error_id is the correlation id" "$(json error_id)" C0DE
check "error: data" "$(json data)" null

# ---- sessions
bearer=(-H "Authorization: Bearer $token")
request POST $session_path "${bearer[@]}" -H 'Content-Type: application/json' \
    -d '{"streaming_enabled":true,"platform":"ios","device_type":"mobile","more":[1]}'
check "a session is 200" "$status" 200
check "with an id" "$(json session_id | grep -cE '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$')" 1
session=$(json session_id)
request POST $session_path "${bearer[@]}"
check "an empty body means defaults" "$status" 200
check "and another session" "$([ "$(json session_id)" != "$session" ] && echo new)" new
request POST $session_path/ "${bearer[@]}"
check "a trailing slash will do for sessions" "$status" 200
request POST $session_path "${bearer[@]}" -d '{"platform":"fridge"}'
check "an unknown platform is accepted" "$status" 200

request POST $session_path
refused "no Authorization" 400 "Missing access token"
request POST $session_path -H 'Authorization: Basic dXNlcjpwYXNz'
refused "another scheme" 401 "$missing"
request POST $session_path -H 'Authorization: Bearer'
refused "Bearer alone" 401 "$missing"
request POST $session_path -H 'Authorization: Bearer a.b.c'
refused "a token that is none" 401 "Invalid access token"
request POST $session_path -H "Authorization: Bearer ${token%?????}AAAAA"
refused "a tampered token" 401 "Invalid access token"
request POST $session_path "${bearer[@]}" -d '{"streaming_enabled":'
refused "half a body" 400 "Error parsing request"
request POST $session_path "${bearer[@]}" -d '{"streaming_enabled":"yes"}'
refused "a string for streaming_enabled" 400 "Error parsing request"
request POST $session_path "${bearer[@]}" -d '{"platform":7}'
refused "a number for platform" 400 "Error parsing request"

# ---- CORS
for path in $token_path $session_path; do
    request OPTIONS $path -H 'Origin: https://app.example' -H 'Access-Control-Request-Method: POST' \
        -H 'Access-Control-Request-Headers: x-token,x-host,authorization,content-type,x-polyai-correlation-id'
    check "preflight of $path succeeds" "$(printf %s "$status" | grep -cE '^20[04]$')" 1
    check "preflight allows the origin" "$(lists Access-Control-Allow-Origin 'https://app.example')" yes
    check "preflight allows POST" "$(lists Access-Control-Allow-Methods POST)" yes
    for name in x-token x-host content-type x-polyai-correlation-id; do
        check "preflight allows $name" "$(lists Access-Control-Allow-Headers $name)" yes
    done
    # Fetch standard: "*" does not cover Authorization, it has to be named.
    check "preflight names authorization" \
        "$(header Access-Control-Allow-Headers | tr ',' '\n' | tr -d ' ' | grep -cix authorization)" 1
done
request POST $token_path -H 'Origin: https://app.example'
check "errors can be read by pages" "$(lists Access-Control-Allow-Origin 'https://app.example')" yes

# ---- HTTP
request GET $token_path
check "GET on a POST path is 405" "$status" 405
check "with Allow" "$(lists Allow POST)" yes
request DELETE $session_path
check "DELETE is 405" "$status" 405
request GET /no/such/path
check "an unknown path is 404" "$status" 404
check "as JSON" "$(json success)" false
request GET /api/v1
check "the bare prefix is 404" "$status" 404
request GET /ws
check "/ws without an upgrade is 426" "$status" 426
check "and names the protocol" "$(header Upgrade | tr '[:upper:]' '[:lower:]')" websocket
request GET /_mock/health
check "health is 200" "$status" 200
check "health says ok" "$(json status)" ok
request GET /
get_status=$status
status=$(curl -sS --max-time 20 -I -o "$scratch/body" -w '%{http_code}' "$base/") || status="curl failed"
check "HEAD / answers like GET /" "$status" "$get_status"
head -c 1048577 /dev/zero | tr '\0' x >"$scratch/large"
request POST $token_path "${good[@]}" -H 'Expect:' --data-binary "@$scratch/large"
check "a body above 1 MiB is 413" "$status" 413
two=$(curl -sS --max-time 20 -o "$scratch/a" -o "$scratch/b" -w '%{num_connects} ' "$base/_mock/health" "$base/_mock/health")
check "a connection serves several requests" "$two" "1 0 "

summary
