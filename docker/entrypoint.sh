#!/bin/sh
# Starts Kong, unless its declarative configuration still has the placeholder in place of an administrator's key.
# KIBANA_CLICKHOUSE_ADMIN_KEY, where it is set, is put there; else the file must carry a key of its own.
set -eu

placeholder='REPLACE-ME'
config="${KONG_DECLARATIVE_CONFIG:-}"
key="${KIBANA_CLICKHOUSE_ADMIN_KEY:-}"

refuse() {
  echo "kibana-clickhouse: $1" >&2
  exit 1
}

if [ -n "$config" ] && grep -q "key: *[\"']\{0,1\}$placeholder" "$config"; then
  [ -n "$key" ] || refuse "$config has the placeholder $placeholder for the administrator's key: set KIBANA_CLICKHOUSE_ADMIN_KEY, or put a long random key into the file"
  case "$key" in
    *[!A-Za-z0-9_-]*) refuse "KIBANA_CLICKHOUSE_ADMIN_KEY may have letters, digits, - and _ only" ;;
    "$placeholder") refuse "KIBANA_CLICKHOUSE_ADMIN_KEY is the placeholder itself" ;;
  esac
  [ "${#key}" -ge 16 ] || refuse "KIBANA_CLICKHOUSE_ADMIN_KEY must have 16 characters at least"
  umask 077
  filled="$(mktemp)"
  sed "s/key: *[\"']\{0,1\}$placeholder[\"']\{0,1\}/key: $key/" "$config" > "$filled"
  export KONG_DECLARATIVE_CONFIG="$filled"
fi
unset KIBANA_CLICKHOUSE_ADMIN_KEY

# where Kong's own images keep theirs
for entrypoint in /docker-entrypoint.sh /entrypoint.sh; do
  if [ -x "$entrypoint" ]; then exec "$entrypoint" "$@"; fi
done
exec "$@"
