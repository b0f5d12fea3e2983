export interface ShadedRange {
  from: number;
  to: number;
  /** From 1, the lightest. */
  shade: number;
}

/**
 * Divide counts into ranges of about as many different counts each, so that neither one high count nor a frequent one
 * leaves a single shade for all others. Up to `shades` different counts have a shade each; the darkest shade is always
 * used; zeros are left out.
 */
export function createQuantileRanges(counts: readonly number[], shades: number): ShadedRange[] {
  const distinct = [...new Set(counts.filter((count) => count > 0))].sort((one, other) => one - other);
  const groupCount = Math.min(shades, distinct.length);
  const groups = new Map<number, { from: number; to: number }>();
  for (const [index, count] of distinct.entries()) {
    const quantile = Math.floor((index * groupCount) / distinct.length);
    groups.set(quantile, { from: groups.get(quantile)?.from ?? count, to: count });
  }
  return [...groups.values()].map((range, index) => ({ ...range, shade: shades - groups.size + index + 1 }));
}
