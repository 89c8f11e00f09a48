import { type Dataset, type DatasetRow, geoPoint, geoPoints, integer, keyword } from './dataset';
import { numbersFrom } from './random';

/** Edges of the Earth and of cells. */
const corners: readonly (readonly [number, number])[] = [
  [90, 180],
  [-90, -180],
  [0, 0],
  [90, -180],
  [-90, 180],
  [0, -180],
  [0, 180],
  [85.05112878, 11.25],
  [-85.05112878, -11.25],
  [66.51326044311186, 90],
  [45, 45],
  [-45, -45],
  [5.625, 11.25],
];

/** Beyond the date line longitudes are negative. */
const eastern = (lon: number): number => (lon > 180 ? Math.round((lon - 360) * 100) / 100 : lon);

/** Points at the edges, around three cities and anywhere; `stops` has none to four of them, some twice. */
export const places: Dataset = {
  name: 'places',
  uniqueField: 'n',
  orderBy: ['n'],
  columns: [integer('n'), keyword('kind'), integer('size'), geoPoint('at'), geoPoints('stops')],
  rows: () => {
    const random = numbersFrom(5);
    const below = (limit: number): number => Math.floor(random() * limit);
    const point = (): { readonly lat: number; readonly lon: number } => {
      const city = [
        { lat: 52.23, lon: 21.01 },
        { lat: -17.71, lon: 178.06 },
        { lat: 40.71, lon: -74.01 },
      ][below(4)];
      if (city === undefined) return { lat: random() * 180 - 90, lon: random() * 360 - 180 };
      return {
        lat: Math.round((city.lat + random() * 2) * 100) / 100,
        lon: eastern(Math.round((city.lon + random() * 4) * 100) / 100),
      };
    };
    return Array.from({ length: 120 }, (_, i): DatasetRow => {
      const [lat, lon] = corners[i] ?? [];
      const at = lat === undefined || lon === undefined ? point() : { lat, lon };
      const stops = Array.from({ length: below(5) }, (_point, place) =>
        place === 1 ? at : point(),
      );
      return {
        n: i + 1,
        kind: ['port', 'town', 'farm'][below(3)] ?? '',
        size: below(50),
        at,
        stops,
      };
    });
  },
};
