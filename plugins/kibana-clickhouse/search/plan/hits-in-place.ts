import type { Scope } from './aggregation-plan';
import {
  levelBelow,
  type PlannedContent,
  type PlannedHits,
  type PlannedLevel,
  scopesOf,
} from './planned-tree';

/** Hits of a tree with the buckets around them. */
export interface HitsInPlace {
  readonly member: PlannedHits;
  /** From the top down; fixed buckets are levels here, too. */
  readonly levels: readonly PlannedLevel[];
  readonly scope: Scope;
}

/** All hits of a tree that can have documents, in the request's order. */
export const hitsInPlace = (content: PlannedContent, scope: Scope): readonly HitsInPlace[] =>
  [{ content, scope }, ...scopesOf(content)].flatMap((root) =>
    hitsWithin(root.content, [], root.scope),
  );

function hitsWithin(
  content: PlannedContent,
  levels: readonly PlannedLevel[],
  scope: Scope,
): readonly HitsInPlace[] {
  return content.members.flatMap((member): readonly HitsInPlace[] => {
    if (member.kind === 'hits') return [{ member, levels, scope }];
    const level = levelBelow(member);
    return level ? hitsWithin(level.content, [...levels, level], scope) : [];
  });
}
