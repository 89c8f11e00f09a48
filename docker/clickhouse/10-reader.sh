#!/bin/bash
# The user of the plugin: docs/clickhouse-user.md, as ClickHouse's image runs it at the first start.
set -euo pipefail

hash="$(printf '%s' "$KIBANA_CLICKHOUSE_PASSWORD" | sha256sum | cut -d' ' -f1)"

clickhouse client --host 127.0.0.1 --user "$CLICKHOUSE_USER" --password "$CLICKHOUSE_PASSWORD" --multiquery <<SQL
CREATE SETTINGS PROFILE IF NOT EXISTS kibana_reader SETTINGS
    readonly = 1,
    cancel_http_readonly_queries_on_client_close = 1 CHANGEABLE_IN_READONLY,
    date_time_output_format CHANGEABLE_IN_READONLY,
    enable_extended_results_for_datetime_functions CHANGEABLE_IN_READONLY,
    group_by_use_nulls CHANGEABLE_IN_READONLY,
    log_comment CHANGEABLE_IN_READONLY,
    max_execution_time = 30 MIN 0.001 MAX 300 CHANGEABLE_IN_READONLY,
    max_memory_usage = 10000000000 MIN 1 CHANGEABLE_IN_READONLY,
    max_query_size CHANGEABLE_IN_READONLY,
    max_result_rows MIN 1 CHANGEABLE_IN_READONLY,
    max_rows_to_read MIN 1 CHANGEABLE_IN_READONLY,
    output_format_json_escape_forward_slashes CHANGEABLE_IN_READONLY,
    output_format_json_named_tuples_as_objects CHANGEABLE_IN_READONLY,
    output_format_json_quote_64bit_integers CHANGEABLE_IN_READONLY,
    output_format_json_quote_denormals CHANGEABLE_IN_READONLY,
    prefer_column_name_to_alias CHANGEABLE_IN_READONLY,
    read_overflow_mode CHANGEABLE_IN_READONLY,
    result_overflow_mode CHANGEABLE_IN_READONLY,
    timeout_overflow_mode CHANGEABLE_IN_READONLY;

CREATE USER IF NOT EXISTS kibana IDENTIFIED WITH sha256_hash BY '$hash' SETTINGS PROFILE 'kibana_reader';

GRANT SELECT ON default.* TO kibana;
GRANT SELECT ON system.tables TO kibana;
GRANT SELECT ON system.columns TO kibana;
GRANT SELECT ON system.functions TO kibana;
GRANT SELECT ON system.settings TO kibana;
SQL
