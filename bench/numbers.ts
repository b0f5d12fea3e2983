/** The value below which a share (0 to 1) of the numbers lies; 0 for none. */
export function getQuantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Median, 99 in 100 and slowest, in milliseconds, as text. */
export function formatTimes(numbers: readonly number[]): string {
  const [median, p99, slowest] = [0.5, 0.99, 1].map((share) => getQuantile(numbers, share).toFixed(1));
  return `median ${median}, p99 ${p99}, slowest ${slowest} ms (${numbers.length})`;
}

/** How often each value occurs, as text. */
export function formatTally(values: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} × ${value}`).join(', ');
}
