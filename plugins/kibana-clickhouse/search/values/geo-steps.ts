/* Elasticsearch keeps points in steps of 32 bits for each axis, as the lower edge of a step (Lucene 8.11 GeoEncodingUtils). */

const steps = 2 ** 32;

/** Degrees of latitude in a step. */
export const latitudeStep = 180 / steps;

/** Degrees of longitude in a step. */
export const longitudeStep = 360 / steps;

/** The number of the last step, which has no end; the first one is -2^31. */
export const lastStep = steps / 2 - 1;

/** Degrees as Elasticsearch keeps them. */
export const storedDegrees = (degrees: number, step: number): number =>
  Math.min(Math.floor(degrees / step), lastStep) * step;
