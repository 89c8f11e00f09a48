/** One MessagePack item: its bytes without those of nested items, and how many items follow in it. */
interface Item {
  readonly bytes: number;
  readonly children: number;
}

const leaf = (bytes: number): Item => ({ bytes, children: 0 });

/** A format whose first byte is followed by a big-endian length. */
interface Sized {
  readonly lengthBytes: 1 | 2 | 4;
  /** Bytes between the length and the payload (the type byte of `ext`). */
  readonly extra: number;
  /** What the length counts: bytes (0) or nested items (1 for an array, 2 for a map). */
  readonly nested: 0 | 1 | 2;
}

const sized = (lengthBytes: 1 | 2 | 4, extra: number, nested: 0 | 1 | 2): Sized => ({
  lengthBytes,
  extra,
  nested,
});

/** The formats with a length of their own, by their first byte (MessagePack specification, "Formats"). */
const SIZED: ReadonlyMap<number, Sized> = new Map([
  [0xc4, sized(1, 0, 0)], // bin
  [0xc5, sized(2, 0, 0)],
  [0xc6, sized(4, 0, 0)],
  [0xc7, sized(1, 1, 0)], // ext
  [0xc8, sized(2, 1, 0)],
  [0xc9, sized(4, 1, 0)],
  [0xd9, sized(1, 0, 0)], // str
  [0xda, sized(2, 0, 0)],
  [0xdb, sized(4, 0, 0)],
  [0xdc, sized(2, 0, 1)], // array
  [0xdd, sized(4, 0, 1)],
  [0xde, sized(2, 0, 2)], // map
  [0xdf, sized(4, 0, 2)],
]);

/** The formats of one fixed size from 0xca: float, uint, int (1 + n bytes), then fixext (2 + n). */
const FIXED: ReadonlyMap<number, Item> = new Map(
  [5, 9, 2, 3, 5, 9, 2, 3, 5, 9, 3, 4, 6, 10, 18].map((bytes, i) => [0xca + i, leaf(bytes)]),
);

const SINGLE_BYTE = leaf(1);

/** The item that starts at `at`; undefined when its header is not there yet. */
function itemAt(data: Buffer, at: number): Item | undefined {
  const first = data[at];
  if (first === undefined) return undefined;
  const format = SIZED.get(first);
  if (format) return sizedItem(data, at, format);
  if (first >= 0x80 && first < 0x90) return { bytes: 1, children: 2 * (first & 0x0f) };
  if (first >= 0x90 && first < 0xa0) return { bytes: 1, children: first & 0x0f };
  if (first >= 0xa0 && first < 0xc0) return leaf(1 + (first & 0x1f));
  return FIXED.get(first) ?? SINGLE_BYTE;
}

function sizedItem(data: Buffer, at: number, format: Sized): Item | undefined {
  const { lengthBytes, extra, nested } = format;
  const header = 1 + lengthBytes + extra;
  if (at + 1 + lengthBytes > data.length) return undefined;
  const length = data.readUIntBE(at + 1, lengthBytes);
  return nested === 0 ? leaf(header + length) : { bytes: header, children: nested * length };
}

/**
 * Cuts a byte stream into whole MessagePack messages. It reads lengths only and resumes where it
 * stopped, so that a message costs its size once, in however many pieces it comes.
 */
export class MessageFraming {
  #pieces: Buffer[] = [];
  #received = 0;
  /** Where the next item starts; beyond `#received` while an item's payload is still to come. */
  #next = 0;
  /** Items of the message that have not been read yet. */
  #pending = 1;

  /** Takes what has arrived and gives the messages that are whole with it. */
  push(chunk: Buffer): readonly Buffer[] {
    this.#pieces.push(chunk);
    this.#received += chunk.length;
    const isPayloadMissing =
      this.#pending > 0 ? this.#next >= this.#received : this.#next > this.#received;
    if (isPayloadMissing) return [];
    const data = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces);
    const messages: Buffer[] = [];
    let start = 0;
    while (this.#readMessage(data)) {
      messages.push(data.subarray(start, this.#next));
      start = this.#next;
      this.#pending = 1;
    }
    this.#pieces = [data.subarray(start)];
    this.#received -= start;
    this.#next -= start;
    return messages;
  }

  /** Reads on to the message's end; false when more bytes are needed. */
  #readMessage(data: Buffer): boolean {
    while (this.#pending > 0) {
      const item = itemAt(data, this.#next);
      if (!item) return false;
      this.#next += item.bytes;
      this.#pending += item.children - 1;
    }
    return this.#next <= data.length;
  }
}
