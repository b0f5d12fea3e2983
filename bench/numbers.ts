/** Get the quantile of numbers for a share from 0 to 1; 0 for an empty list. */
export function getQuantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function formatTimes(numbers: readonly number[]): string {
  const [median, p99, slowest] = [0.5, 0.99, 1].map((share) => getQuantile(numbers, share).toFixed(1));
  return `median ${median}, p99 ${p99}, slowest ${slowest} ms (${numbers.length})`;
}

export function formatTally(values: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} × ${value}`).join(', ');
}
