import { parseError } from '../../common/errors/catalogue';

/** Degrees of the four sides of a rectangle. */
export interface GeoBox {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

const alphabet = '0123456789bcdefghjkmnpqrstuvwxyz';

/** The cell of a geohash: five bits a letter, longitude and latitude in turn. */
export function geohashCell(geohash: string): GeoBox {
  const bits = Array.from(geohash, (letter) => {
    const value = alphabet.indexOf(letter);
    if (value < 0) throw parseError(`unsupported symbol [${letter}] in geohash [${geohash}]`);
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
