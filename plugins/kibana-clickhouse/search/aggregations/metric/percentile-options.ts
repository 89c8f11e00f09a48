import { contentParseError, illegalArgument } from '../../../common/errors/catalogue';
import type { ElasticsearchError } from '../../../common/errors/elasticsearch-error';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { javaDouble } from '../../values/java-double';
import { checkOptions, doubleOf, doubleOption, integerOption, option, wrongType } from '../options';

/** Elasticsearch's refusal of an aggregation that it reads by a constructor, all of its options together. */
export const failedBuild = (type: string, { type: kind, message }: ElasticsearchError): Error =>
  contentParseError(`Failed to build [${type}] after last required field arrived`, [
    { type: kind, reason: message },
  ]);

/** A list of numbers, or one; undefined where it is not given. */
export function numbersOption(
  body: JsonObject,
  key: string,
  type: string,
): readonly number[] | undefined {
  const value = option(body, key);
  if (value === undefined) return undefined;
  return parseField(type, key, () =>
    (isJsonArray(value) ? value : [value]).map((item) => {
      if (isJsonArray(item) || isJsonObject(item)) throw wrongType(type, key, item);
      return doubleOf(item);
    }),
  );
}

/** How percentiles are estimated: `tdigest` unless `hdr` is given. Throws Elasticsearch's errors for both and for their options. */
export function parseMethod(body: JsonObject, type: string): 'tdigest' | 'hdr' {
  const [tdigest, hdr] = [option(body, 'tdigest'), option(body, 'hdr')];
  if (tdigest !== undefined) checkMethod(body, 'tdigest', type);
  if (hdr !== undefined) checkMethod(body, 'hdr', type);
  if (tdigest !== undefined && hdr !== undefined)
    throw failedBuild(type, illegalArgument('Only one percentiles method should be declared.'));
  return hdr === undefined ? 'tdigest' : 'hdr';
}

function checkMethod(body: JsonObject, method: 'tdigest' | 'hdr', type: string): void {
  const options = option(body, method);
  if (!isJsonObject(options)) throw wrongType(type, method, options ?? null);
  parseField(type, method, () => {
    if (method === 'hdr') checkDigits(options);
    else checkCompression(options);
  });
}

function checkDigits(options: JsonObject): void {
  const key = 'number_of_significant_value_digits';
  checkOptions('hdr', options, { used: [key] });
  parseField('hdr', key, () => {
    const digits = integerOption(options, key, 'hdr') ?? 3;
    if (digits < 0 || digits > 5)
      throw illegalArgument('[numberOfSignificantValueDigits] must be between 0 and 5');
  });
}

function checkCompression(options: JsonObject): void {
  checkOptions('tdigest', options, { used: ['compression'], ignored: ['execution_hint'] });
  parseField('tdigest', 'compression', () => {
    const compression = doubleOption(options, 'compression', 'tdigest') ?? 100;
    if (compression < 0)
      throw illegalArgument(
        `[compression] must be greater than or equal to 0. Found [${javaDouble(compression)}]`,
      );
  });
}
