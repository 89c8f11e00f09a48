import { namesInKey } from './key-names';
import type { Field } from './table';

/** What the settings say about time fields; names that are no date fields of the table are ignored. */
export interface TimeFieldOptions {
  /** The table's own setting. */
  readonly timeField?: string;
  /** `defaultTimeFieldName` of the settings. */
  readonly defaultTimeFieldName?: string;
}

/**
 * The time field where a rule needs one and the request names none: the table's setting, else the
 * default name, else the first date column of the sorting key, else the first date field.
 */
export function chooseTimeField(
  fields: ReadonlyMap<string, Field>,
  sortingKey: string,
  options: TimeFieldOptions,
): string | undefined {
  const candidates = new Set(timeFieldCandidates(fields));
  const named = [options.timeField, options.defaultTimeFieldName];
  const wanted = named.find((name) => name !== undefined && candidates.has(name));
  if (wanted !== undefined) return wanted;
  return namesInKey(sortingKey).find((name) => candidates.has(name)) ?? [...candidates][0];
}

/** The fields that can be the time field, in column order. */
export const timeFieldCandidates = (fields: ReadonlyMap<string, Field>): readonly string[] =>
  [...fields.values()].filter(isCandidate).map(({ name }) => name);

const isCandidate = ({ type, multiValued }: Field): boolean =>
  (type === 'date' || type === 'date_nanos') && !multiValued;
