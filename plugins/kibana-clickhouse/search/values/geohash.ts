import { parseError } from '../../common/errors/catalogue';

/** Degrees of the four sides of a rectangle. */
export interface GeoBox {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

const alphabet = '0123456789bcdefghjkmnpqrstuvwxyz';

function unknownLetter(letter: string, geohash: string): Error {
  const reason = `unsupported symbol [${letter}] in geohash [${geohash}]`;
  return parseError(reason, [{ type: 'illegal_argument_exception', reason }]);
}

/** The cell of a geohash: five bits a letter, longitude and latitude in turn. */
export function geohashCell(geohash: string): GeoBox {
  if (geohash === '') throw parseError('empty geohash');
  const bits = Array.from(geohash, (letter) => {
    const value = alphabet.indexOf(letter);
    if (value < 0) throw unknownLetter(letter, geohash);
    return value.toString(2).padStart(5, '0');
  }).join('');
  const side = (first: number, half: number): readonly [number, number] =>
    Array.from(bits)
      .filter((_, i) => i % 2 === first)
      .reduce<readonly [number, number]>(
        ([low, high], bit) => {
          const middle = (low + high) / 2;
          return bit === '1' ? [middle, high] : [low, middle];
        },
        [-half, half],
      );
  const [left, right] = side(0, 180);
  const [bottom, top] = side(1, 90);
  return { top, left, bottom, right };
}

/** The geohash of a cell by its number: five bits a letter, the last letter's lowest. */
export function geohashText(cell: bigint, letters: number): string {
  const bits = cell.toString(2).padStart(5 * letters, '0');
  return Array.from({ length: letters }, (_, i) =>
    alphabet.charAt(Number.parseInt(bits.slice(5 * i, 5 * i + 5), 2)),
  ).join('');
}

/** Metres around the Earth at the equator, and from pole to pole (Elasticsearch 7.17 GeoUtils). */
const equator = 2 * Math.PI * 6_378_137;
const polarDistance = Math.PI * 6_356_752.314245;

/** Letters of a geohash whose cells are no larger than so many metres (Elasticsearch 7.17 GeoUtils.geoHashLevelsForPrecision). */
export function geohashLetters(metres: number): number {
  if (metres === 0) return 12;
  const ratio = 1 + polarDistance / equator;
  const width = Math.sqrt((metres * metres) / (ratio * ratio));
  const bits = Math.floor(Math.log2(Math.ceil(equator / width))) + 1;
  const left = bits % 5;
  const full = Math.floor(bits / 5);
  return full + Number(left > 0) + full + Number(left > 3);
}
