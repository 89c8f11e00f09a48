import type { StatementLimits } from './executor';

/**
 * What the product sends with every statement beside `log_comment`, the time limit and (for a user
 * whose profile is not readonly) `readonly` itself. A user with `readonly = 1` needs each of
 * `sentSettings` declared `changeable_in_readonly`.
 */
export const statementSettings = {
  // with readonly: a client that goes away stops its query
  cancel_http_readonly_queries_on_client_close: 1,
  date_time_output_format: 'iso',
  // dates before 1970 and after 2149 come back as what they are
  enable_extended_results_for_datetime_functions: 1,
  group_by_use_nulls: 1,
  // long lists of literals stand in the statement
  max_query_size: '10000000',
  output_format_json_escape_forward_slashes: 0,
  output_format_json_named_tuples_as_objects: 1,
  output_format_json_quote_64bit_integers: 1,
  // nan and inf are words, not null
  output_format_json_quote_denormals: 1,
  // a filtered subquery's alias must not shadow a column of the table
  prefer_column_name_to_alias: 1,
  // a profile that says `break` would make a part of the answer look like all of it
  read_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  // an error is known before the first row, the summary is complete
  wait_end_of_query: 1,
} as const;

/**
 * What lines of JSON objects are written with: they become `_source` as they stand, so integers keep
 * their digits, and values that JSON has no number for are null.
 */
export const documentSettings = {
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
} as const;

/** ClickHouse's settings for the limits of one statement; `max_execution_time` is in s, with a fraction. */
export const limitSettings = ({
  maxExecutionMs,
  maxMemoryBytes,
  maxReadRows,
  maxResultRows,
}: StatementLimits & { readonly maxExecutionMs: number }): Readonly<
  Partial<Record<LimitSetting, string>> & { readonly max_execution_time: number }
> => ({
  max_execution_time: maxExecutionMs / 1000,
  ...(maxMemoryBytes !== undefined && { max_memory_usage: String(maxMemoryBytes) }),
  ...(maxReadRows !== undefined && { max_rows_to_read: String(maxReadRows) }),
  ...(maxResultRows !== undefined && { max_result_rows: String(maxResultRows) }),
});

type LimitSetting = 'max_memory_usage' | 'max_result_rows' | 'max_rows_to_read';

/** The names of all settings that the product may send. */
export const sentSettings: readonly string[] = [
  ...Object.keys(statementSettings),
  'log_comment',
  'max_execution_time',
  'max_memory_usage',
  'max_result_rows',
  'max_rows_to_read',
];
