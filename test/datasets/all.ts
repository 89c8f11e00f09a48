import { access } from './access';
import type { Dataset } from './dataset';
import { missing, numbers, points, texts } from './edges';
import { logs } from './logs';
import { otelLogs } from './open-telemetry';
import { orders } from './orders';
import { places } from './places';
import { addresses, clockChanges, dates } from './times';
import { types } from './types';

/** The datasets that the project makes, by name. */
export const datasets: ReadonlyMap<string, Dataset> = new Map(
  [
    access,
    otelLogs,
    logs,
    missing,
    numbers,
    texts,
    points,
    places,
    orders,
    dates,
    clockChanges,
    addresses,
    types,
  ].map((dataset) => [dataset.name, dataset]),
);
