import { illegalArgument } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { toInteger } from '../request/coerce';
import { stringOf } from '../values/field-value';
import { type StringClauseOptions, defineStringClause } from './string-clause';
import { regexpFlags } from './text/lucene-regexp';
import { matchesRegexp } from './text/regexp';
import { noStrings } from './text/string-values';

interface RegexpOptions extends StringClauseOptions {
  /** Bits of `regexpFlags`. */
  readonly flags: number;
}

/** `{"regexp": {"host": "web-[0-9]+"}}`, the whole term; with `flags` as `ALL`, `NONE` or `INTERVAL|COMPLEMENT`. */
export const regexp = defineStringClause<RegexpOptions>({
  name: 'regexp',
  isNoneUnmapped: false,
  options: {
    flags: (value) => ({ flags: parseFlags(value) }),
    flags_value: (value, name) => ({ flags: toInteger(value, name) }),
    max_determinized_states(value, name) {
      toInteger(value, name);
      return {};
    },
  },
  onField: (field, options, context) => matchesRegexp(field, options.value, context, options),
  onMetadata(field) {
    throw noStrings(field, 'regexp queries on keyword and text fields');
  },
});

const flagValues: Readonly<Record<string, number>> = regexpFlags;

/** Elasticsearch 7.17 RegexpFlag.resolveValue: names joined by `|`; none at all means ALL. */
function parseFlags(value: JsonValue): number {
  const names = value === null ? '' : stringOf(value);
  if (names === '') return regexpFlags.ALL;
  return names
    .split('|')
    .filter((name) => name !== '')
    .reduce((flags, name) => {
      const flag = flagValues[name.toUpperCase()];
      if (flag === undefined) throw illegalArgument(`Unknown regexp flag [${name}]`);
      return flags | flag;
    }, 0);
}
