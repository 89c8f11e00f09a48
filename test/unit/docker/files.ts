import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

const root = resolve(__dirname, '../../..');

/** The path of a file of the repository. */
export const inRepository = (...path: readonly string[]): string => resolve(root, ...path);

/** The text of a file of the repository. */
export const textOf = (path: string): string => readFileSync(inRepository(path), 'utf8');

/** One instruction of a Dockerfile: its name and what stands behind it, lines joined. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export function instructions(text: string): readonly Instruction[] {
  const joined = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ');
  return joined.split('\n').flatMap((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{ name, rest }];
  });
}

export const yamlOf = (path: string): unknown => parse(textOf(path), { merge: true });
