import type { Field } from '../../clickhouse/catalog/table';
import { lowerCase } from '../queries/text/analyze';

/** A request's text as the values of a field are spelled: in lower case where they are. */
export const spelledAs = ({ inLowerCase }: Pick<Field, 'inLowerCase'>, text: string): string =>
  inLowerCase === true ? lowerCase(text) : text;
