/** Headers in the order and spelling they came in; several lines of one name stay several. */
export class HeaderList {
  #lines: (readonly [name: string, value: string])[] = [];

  /** From Node's `rawHeaders`: names and values in turn. */
  static fromRaw(raw: readonly string[]): HeaderList {
    const list = new HeaderList();
    for (let index = 0; index + 1 < raw.length; index += 2) {
      list.add(raw[index] ?? '', raw[index + 1] ?? '');
    }
    return list;
  }

  add(name: string, value: string): void {
    this.#lines.push([name, value]);
  }

  delete(name: string): void {
    const lower = name.toLowerCase();
    this.#lines = this.#lines.filter(([present]) => present.toLowerCase() !== lower);
  }

  set(name: string, values: string | readonly string[]): void {
    this.delete(name);
    for (const value of typeof values === 'string' ? [values] : values) this.add(name, value);
  }

  all(name: string): readonly string[] {
    const lower = name.toLowerCase();
    return this.#lines.flatMap(([present, value]) =>
      present.toLowerCase() === lower ? [value] : [],
    );
  }

  first(name: string): string | undefined {
    return this.all(name)[0];
  }

  get lines(): readonly (readonly [name: string, value: string])[] {
    return this.#lines;
  }

  /** Names and values in turn, as Node's `request` and `writeHead` take them. */
  toRaw(): string[] {
    return this.#lines.flat();
  }
}
