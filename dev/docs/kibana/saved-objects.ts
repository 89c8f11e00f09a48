import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import { type Panel, panels } from './panels';

/** A version of Kibana that imports the objects; later ones migrate them. */
export type KibanaVersion = '7.10' | '8.12';

const prefix = 'kibana-clickhouse-monitor';
const searchSource = 'kibanaSavedObjectMeta.searchSourceJSON.index';

/** Which shape the attributes of an object have. */
const shapes: Readonly<Record<KibanaVersion, (type: string) => JsonObject>> = {
  '7.10': (type) => ({
    migrationVersion: {
      [type]: { 'index-pattern': '7.6.0', visualization: '7.10.0', dashboard: '7.9.3' }[type] ?? '',
    },
  }),
  '8.12': (type) => ({
    coreMigrationVersion: '8.8.0',
    typeMigrationVersion:
      { 'index-pattern': '8.0.0', visualization: '8.5.0', dashboard: '8.9.0' }[type] ?? '',
  }),
};

/** The data view of `proxy-monitor`, its visualizations and the dashboard of them, in the order of their import. */
export function savedObjects(version: KibanaVersion): readonly JsonObject[] {
  const object = (type: string, id: string, rest: JsonObject): JsonObject => ({
    ...{ id, type },
    ...rest,
    ...shapes[version](type),
  });
  return [
    object('index-pattern', prefix, {
      attributes: {
        ...{ title: 'proxy-monitor', timeFieldName: 'timestamp', fields: '[]' },
        ...(version === '8.12' && { name: 'Searches answered from ClickHouse' }),
      },
      references: [],
    }),
    ...panels.map((panel) =>
      object('visualization', visualizationId(panel), {
        attributes: visualization(panel),
        references: [{ id: prefix, name: searchSource, type: 'index-pattern' }],
      }),
    ),
    object('dashboard', `${prefix}-dashboard`, dashboard(version)),
  ];
}

const visualizationId = ({ id }: Panel): string => `${prefix}-${id}`;

const visualization = ({ title, type, query = '', aggs }: Panel): JsonObject => ({
  title: `[ClickHouse] ${title}`,
  description: '',
  version: 1,
  uiStateJSON: '{}',
  visState: JSON.stringify({
    title,
    type,
    params: parameters[type],
    aggs: aggs.map((aggregation) => ({ ...aggregation, enabled: true })),
  }),
  kibanaSavedObjectMeta: {
    searchSourceJSON: JSON.stringify({
      query: { query, language: 'kuery' },
      filter: [],
      indexRefName: searchSource,
    }),
  },
});

const parameters: Readonly<Record<Panel['type'], JsonObject>> = {
  table: {
    ...{ perPage: 10, showPartialRows: false, showMetricsAtAllLevels: false },
    ...{ showTotal: false, totalFunc: 'sum', percentageCol: '' },
  },
  pie: {
    ...{ type: 'pie', addTooltip: true, addLegend: true, legendPosition: 'right', isDonut: true },
    labels: { show: true, values: true, last_level: true, truncate: 100 },
  },
  histogram: {
    ...{ type: 'histogram', addTooltip: true, addLegend: true, legendPosition: 'right', times: [] },
    ...{ addTimeMarker: false, grid: { categoryLines: false } },
    categoryAxes: [
      {
        ...{ id: 'CategoryAxis-1', type: 'category', position: 'bottom', show: true, style: {} },
        ...{
          scale: { type: 'linear' },
          title: {},
          labels: { show: true, filter: true, truncate: 100 },
        },
      },
    ],
    valueAxes: [
      {
        ...{ id: 'ValueAxis-1', name: 'LeftAxis-1', type: 'value', position: 'left', show: true },
        ...{ style: {}, scale: { type: 'linear', mode: 'normal' }, title: { text: '' } },
        labels: { show: true, rotate: 0, filter: false, truncate: 100 },
      },
    ],
    seriesParams: [
      {
        ...{ show: true, type: 'histogram', mode: 'stacked', valueAxis: 'ValueAxis-1' },
        ...{ data: { id: '1', label: '' }, drawLinesBetweenPoints: true, showCircles: true },
      },
    ],
  },
};

function dashboard(version: KibanaVersion): JsonObject {
  const names = panels.map((_panel, i) => `panel_${String(i + 1)}`);
  return {
    attributes: {
      title: '[ClickHouse] Searches',
      description:
        'What the statements that answer searches cost, which are slow, frequent or fail.',
      version: 1,
      hits: 0,
      timeRestore: true,
      timeFrom: 'now-24h',
      timeTo: 'now',
      refreshInterval: { pause: true, value: 0 },
      optionsJSON: JSON.stringify({ useMargins: true, hidePanelTitles: false }),
      panelsJSON: JSON.stringify(
        panels.map(({ grid, title }, i) => ({
          version: version === '7.10' ? '7.10.0' : '8.12.0',
          type: 'visualization',
          gridData: { ...grid, i: String(i + 1) },
          panelIndex: String(i + 1),
          embeddableConfig: {},
          title,
          panelRefName: names[i] ?? '',
        })),
      ),
      kibanaSavedObjectMeta: {
        searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }),
      },
    },
    references: panels.map((panel, i) => ({
      id: visualizationId(panel),
      name: version === '7.10' ? (names[i] ?? '') : `${String(i + 1)}:${names[i] ?? ''}`,
      type: 'visualization',
    })),
  };
}
