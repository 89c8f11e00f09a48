import type { MonitorRecord } from '../../../../schema/monitor-record';

type Place = Pick<MonitorRecord, 'application' | 'dashboard' | 'panel'>;

/** Characters of an id that are kept: enough for every Kibana, and a bound for what a caller may store. */
const MAX_LENGTH = 1_024;

/**
 * Where in Kibana a request comes from. Kibana 7.16 and later sends its execution context in
 * `x-opaque-id`: `<request id>;kibana:application:dashboards:<dashboard id>;dashboard:…:<id>;lens:lnsXY:<panel id>`,
 * parents first, each part `type:name:id` in percent-encoding. Other texts give nothing.
 */
export function placeInKibana(opaqueId: string): Place {
  const [, context] = /^[^;]*;kibana:(.*)$/s.exec(opaqueId.slice(0, MAX_LENGTH)) ?? [];
  if (context === undefined) return {};
  const parts = context.split(';').map((part) => part.split(':').map(decoded));
  const application = parts.find(([type]) => type === 'application')?.[1];
  const dashboard = idOf(parts.find(([type, name]) => isDashboard(type, name)));
  const panel = idOf(parts.findLast(([type]) => type !== 'application' && type !== 'dashboard'));
  return {
    ...(application !== undefined && application !== '' && { application }),
    ...(dashboard !== undefined && { dashboard }),
    ...(panel !== undefined && { panel }),
  };
}

/** An opaque id as it is recorded. */
export const recordedOpaqueId = (opaqueId: string): string => opaqueId.slice(0, MAX_LENGTH);

/** The application is called `dashboards` while a dashboard is shown; its child names the same one. */
const isDashboard = (type?: string, name?: string): boolean =>
  type === 'dashboard' || (type === 'application' && name === 'dashboards');

function idOf(part: readonly string[] | undefined): string | undefined {
  const id = part && part.length > 1 ? part[part.length - 1] : undefined;
  return id === '' || id === 'new' ? undefined : id;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
