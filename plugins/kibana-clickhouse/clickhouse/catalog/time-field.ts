import { namesInKey } from './key-names';
import type { Field } from './table';

/** What the settings say about time fields; names that are no single-valued date fields of the table are `timeFieldProblem`s. */
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

/**
 * Why a name in the settings is not the table's time field; undefined where each is one. The default name is for all tables: one
 * that has no field of that name is as it should be.
 */
export function timeFieldProblem(
  fields: ReadonlyMap<string, Field>,
  { timeField, defaultTimeFieldName }: TimeFieldOptions,
): string | undefined {
  const candidates = timeFieldCandidates(fields);
  const told = (setting: string, name: string): string =>
    `${setting} names [${name}], which is ${fields.has(name) ? 'no single-valued date field' : 'no field of the table'}: it is not used. Candidates: [${candidates.join(', ')}]`;
  if (timeField !== undefined && !candidates.includes(timeField))
    return told('timeField of the table', timeField);
  const isWrongDefault =
    timeField === undefined &&
    defaultTimeFieldName !== undefined &&
    fields.has(defaultTimeFieldName) &&
    !candidates.includes(defaultTimeFieldName);
  return isWrongDefault ? told('defaultTimeFieldName', defaultTimeFieldName) : undefined;
}

/** The fields that can be the time field, in column order. */
export const timeFieldCandidates = (fields: ReadonlyMap<string, Field>): readonly string[] =>
  [...fields.values()].filter(isCandidate).map(({ name }) => name);

const isCandidate = ({ type, multiValued }: Field): boolean =>
  (type === 'date' || type === 'date_nanos') && !multiValued;
