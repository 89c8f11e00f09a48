/** A document as `GET /{index}/_doc/{id}` shows it, as JSON text: `source` is spliced in as it came. */
export function documentText(
  index: string,
  id: string,
  found: { readonly source: string | undefined } | undefined,
): string {
  const place = `{"_index":${JSON.stringify(index)},"_id":${JSON.stringify(id)}`;
  if (found === undefined) return `${place},"found":false}`;
  const source = found.source === undefined ? '' : `,"_source":${found.source}`;
  return `${place},"_version":1,"_seq_no":0,"_primary_term":1,"found":true${source}}`;
}
