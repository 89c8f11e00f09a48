/** The URLs of `ck.url`, which separates several by commas; undefined when one of them is no address. */
export function clickHouseUrls(addresses: string): readonly [string, ...string[]] | undefined {
  const [first, ...others] = addresses.split(',').map(clickHouseUrl);
  if (first === undefined || others.includes(undefined)) return undefined;
  return [first, ...others.filter((url) => url !== undefined)];
}

/**
 * The URL of ClickHouse's HTTP interface from an address: `host:port` (http, 8123 when no port is
 * named) or an http(s) URL, whose path is kept. User, password, query and fragment do not belong in
 * it: undefined then, and when it is no address at all.
 */
function clickHouseUrl(address: string): string | undefined {
  const text = address.trim();
  const hasScheme = /^https?:\/\//i.test(text);
  const full = hasScheme ? text : `http://${text}`;
  if ((!hasScheme && text.includes('://')) || !URL.canParse(full)) return undefined;
  const url = new URL(full);
  const { hostname, username, password, search, hash } = url;
  if (hostname === '' || `${username}${password}${search}${hash}` !== '') return undefined;
  if (!hasScheme && !/^(?:\[[^\]]*\]|[^:/]*):\d+/.test(text)) url.port = '8123';
  return url.href;
}
