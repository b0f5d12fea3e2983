import type { RequestTally } from './runner.ts';

export function printRows(rows: readonly (readonly [string, string | number])[]): void {
  for (const [name, figure] of rows) console.log(`${name.padEnd(34)} ${String(figure).padStart(10)}`);
}

export function printTally({ requests, uploads, aborted, statuses }: RequestTally, seconds: number): void {
  const classes = [2, 3, 4, 5].map((first) => {
    const counts = [...statuses]
      .filter(([status]) => Math.floor(status / 100) === first)
      .map(([, count]) => count);
    return [`answers ${first}xx`, counts.reduce((sum, count) => sum + count, 0)] as const;
  });
  printRows([
    ['requests', requests],
    ['uploads', uploads],
    ['of these broken off on purpose', aborted],
    ['requests a second', Math.round((requests + uploads) / seconds)],
    ...classes,
    ['answers 503', statuses.get(503) ?? 0],
    ['no answer', statuses.get(0) ?? 0],
  ]);
}

export function formatMegabytes(bytes: number): string {
  return Number.isNaN(bytes) ? 'not known' : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
