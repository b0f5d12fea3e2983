export interface ShadedRange {
  from: number;
  to: number;
  /** From 1, the lightest. */
  shade: number;
}

/**
 * Divide counts into ranges that each have about as many of them, so that one high count does not leave a single shade
 * for all others. Equal counts share a range; the darkest shade is always used; zeros are left out.
 */
export function createQuantileRanges(counts: readonly number[], shades: number): ShadedRange[] {
  const sorted = counts.filter((count) => count > 0).toSorted((one, other) => one - other);
  const groups = new Map<number, { from: number; to: number }>();
  for (const count of new Set(sorted)) {
    const quantile = Math.floor((sorted.indexOf(count) * shades) / sorted.length);
    groups.set(quantile, { from: groups.get(quantile)?.from ?? count, to: count });
  }
  return [...groups.values()].map((range, index) => ({ ...range, shade: shades - groups.size + index + 1 }));
}
