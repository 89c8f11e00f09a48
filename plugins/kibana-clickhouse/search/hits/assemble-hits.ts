import { documentId } from './document-id';
import type { Cells } from './hit-line';
import type { HitContents } from './plan-hits';

/** What every hit of an answer says alike. */
export interface HitShape {
  readonly index: string;
  /** Hits of Elasticsearch 7 name a type: `_doc`. */
  readonly typed: boolean;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
}

/** A line of the statement becomes the JSON text of a hit; `_source` is spliced in as it came. */
export function hitWriter(plan: HitContents, shape: HitShape): (line: string) => string {
  const start = `{"_index":${JSON.stringify(shape.index)}${shape.typed ? ',"_type":"_doc"' : ''}`;
  const middle =
    (shape.version ? ',"_version":1' : '') +
    (shape.seqNoPrimaryTerm ? ',"_seq_no":0,"_primary_term":1' : '') +
    `,"_score":${plan.scores.hit}`;
  const fields = fieldsWriter(plan);
  const { id, columns, showsSource, highlight, sort } = plan;
  return (line) => {
    const { cells, source } = columns.splitLine(line);
    const idText = id ? `,"_id":"${documentId(id(cells))}"` : '';
    const sourceText = showsSource ? `,"_source":${source}` : '';
    const sortText =
      sort.length === 0 ? '' : `,"sort":[${sort.map((key) => key.print(cells)).join(',')}]`;
    const marked = highlight(cells);
    const highlightText = marked === '' ? '' : `,"highlight":${marked}`;
    return `${start}${idText}${middle}${sourceText}${fields(cells)}${highlightText}${sortText}}`;
  };
}

/** `fields` with those that have values; absent when none has. */
function fieldsWriter({ fields }: HitContents): (cells: Cells) => string {
  const printers = fields.map(({ names, print }) => ({
    keys: names.map((name) => `,${JSON.stringify(name)}:[`),
    print,
  }));
  return (cells) => {
    let members = '';
    for (const { keys, print } of printers) {
      const values = print(cells);
      if (values !== '') for (const key of keys) members += `${key}${values}]`;
    }
    return members === '' ? '' : `,"fields":{${members.slice(1)}}`;
  };
}
