import { computeFingerprint } from './form-fields.rules.ts';

/** Values of a code that two people can change independently: `title`, `data.name`, `visibility.name`. */
export type Values = Readonly<Record<string, unknown>>;

/** Fingerprints of the values that a form was made of, in the order of their names. */
export function serializeBase(values: Values): string {
  return Object.keys(values)
    .sort()
    .map((name) => computeFingerprint(values[name]))
    .join('.');
}

/**
 * Merge what a form changed into what is stored since. What only one of both changed is taken; what both changed
 * differently stays as in the form, and is listed.
 * @param base of the form; without a valid one everything that differs counts as changed by both
 */
export function mergeChanges(
  base: string,
  mine: Values,
  theirs: Values,
): { merged: Record<string, unknown>; clashes: string[] } {
  const names = Object.keys(theirs).sort();
  const prints = base.split('.');
  const isKnown = prints.length === names.length;
  const merged: Record<string, unknown> = {};
  const clashes: string[] = [];
  for (const [index, name] of names.entries()) {
    const before = isKnown ? prints[index] : undefined;
    const [mineNow, theirsNow] = [computeFingerprint(mine[name]), computeFingerprint(theirs[name])];
    const isMine = mineNow !== before;
    merged[name] = isMine ? mine[name] : theirs[name];
    if (isMine && theirsNow !== before && mineNow !== theirsNow) clashes.push(name);
  }
  return { merged, clashes };
}
