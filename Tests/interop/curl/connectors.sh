#!/usr/bin/env bash
# Connectors, hosts and rates of a configuration file with curl: connectors.sh BINARY
# Poly-messaging 1.4 (the order of refusals), 1.5 (host matching) and 1.7 (429).
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
finish() {
    stop_server || true
    rm -rf "$scratch"
}
. "$here/lib/common.sh"
. "$here/lib/checks.sh"
trap finish EXIT
trap 'exit 130' INT TERM

cat >"$scratch/config.json5" <<'JSON5'
{
  connectors: [
    { token: "shop", hosts: ["https://yourcompany.com", "com.yourcompany.app"] },
    { token: "bare", hosts: [] },
  ],
}
JSON5
start_server "$(realpath "$1")" --config "$scratch/config.json5" --log quiet

path=/api/v1/access-token

# asks TOKEN HOST STATUS [MESSAGE]
asks() {
    request POST $path -H "X-Token: $1" -H "X-Host: $2"
    if [ "$3" = 200 ]; then check "$1 from $2" "$status" 200; else refused "$1 from $2" "$3" "$4"; fi
}

asks nobody yourcompany.com 401 "Connector token does not exist"
asks bare yourcompany.com 401 "Connector missing host domain"
for host in yourcompany.com https://yourcompany.com/ HTTPS://YourCompany.com:8443/chat?x#y app.yourcompany.com \
    https://a.b.yourcompany.com yourcompany.com. com.yourcompany.app; do
    asks shop "$host" 200
done
for host in com yourcompany.org notyourcompany.com yourcompany.com.evil.example com.yourcompany; do
    asks shop "$host" 401 "Failed to validate connector"
done
stop_server || true

printf '{ rates: { rest: { burst: 2, perSecond: 0.1 } } }\n' >"$scratch/config.json5"
start_server "$(realpath "$1")" --config "$scratch/config.json5" --log quiet
statuses=
for _ in 1 2 3; do
    request POST $path -H 'X-Token: shop' -H 'X-Host: example.com'
    statuses="$statuses $status"
done
check "two tokens in a burst, the third is too many" "$statuses" " 200 200 429"
check "Retry-After is in whole seconds" "$(header Retry-After | grep -cE '^[1-9][0-9]*$')" 1

summary
