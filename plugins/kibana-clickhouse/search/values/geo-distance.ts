import { illegalArgument, numberFormatError } from '../../common/errors/catalogue';

/** Metres in a unit of Elasticsearch 7.17 (DistanceUnit). */
const units: ReadonlyMap<string, number> = new Map([
  ['mm', 0.001],
  ['millimeters', 0.001],
  ['cm', 0.01],
  ['centimeters', 0.01],
  ['km', 1000],
  ['kilometers', 1000],
  ['in', 0.0254],
  ['inch', 0.0254],
  ['yd', 0.9144],
  ['yards', 0.9144],
  ['ft', 0.3048],
  ['feet', 0.3048],
  ['NM', 1852],
  ['nmi', 1852],
  ['nauticalmiles', 1852],
  ['mi', 1609.344],
  ['miles', 1609.344],
  ['m', 1],
  ['meters', 1],
]);

/** Metres in a unit given by its name; 400 for others. */
export function metresIn(unit: string): number {
  const metres = units.get(unit);
  if (metres === undefined) throw illegalArgument(`No distance unit match [${unit}]`);
  return metres;
}

const distance = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$/;

/** A distance such as `30km` in metres; a bare number counts in `unit`. */
export function parseDistance(text: string, unit = 'm'): number {
  const suffix = [...units.keys()]
    .sort((a, b) => b.length - a.length)
    .find((name) => text.endsWith(name));
  const amount = suffix === undefined ? text : text.slice(0, -suffix.length);
  const match = distance.exec(amount.trim());
  if (match === null) throw numberFormatError(`For input string: "${amount}"`);
  return Number(match[1]) * metresIn(suffix ?? unit);
}
