import type { Clause, Clauses, Phrase, Words } from './syntax-tree';

/**
 * The values of `field:(a,b)` (CKibana's own spelling: any of them), each a word, several, or a phrase; undefined for groups
 * that are no list, as in Lucene's syntax: without a comma outside of quotes, or with operators, patterns or ranges.
 */
export function commaList({ field, clauses }: Clauses): readonly (Words | Phrase)[] | undefined {
  if (field === undefined) return undefined;
  const operands = clauses.map(plainOperand);
  const plain = operands.filter((operand) => operand !== undefined);
  if (plain.length < operands.length || !plain.some(hasComma)) return undefined;
  return plain.flatMap((operand): readonly (Words | Phrase)[] =>
    operand.kind === 'phrase' ? [operand] : parts(operand),
  );
}

function plainOperand({ conjunction, modifier, operand }: Clause): Words | Phrase | undefined {
  const isPlain = conjunction === 'none' && modifier === 'none';
  return isPlain && (operand.kind === 'words' || operand.kind === 'phrase') ? operand : undefined;
}

const hasComma = (operand: Words | Phrase): boolean =>
  operand.kind === 'words' && operand.text.includes(',');

const parts = ({ field, text }: Words): readonly Words[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ kind: 'words', field, text: part, several: part.includes(' ') }));
