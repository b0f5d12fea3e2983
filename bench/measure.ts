import type { RoundOptions } from './benchmark.ts';
import type { Measurement, RatioGoal } from './table.ts';

export type ComparisonSide = 'service' | 'baseline';

export type RoundResults<Value> = Record<ComparisonSide, Value[]>;

/** Get the quantile of numbers for a share from 0 to 1; 0 for an empty list. */
export function getQuantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Measure both sides in each round; the speed of a machine varies, so that the order alternates. */
export async function alternateSides<Value>(
  { rounds, onProgress }: Pick<RoundOptions, 'rounds' | 'onProgress'>,
  measure: (side: ComparisonSide) => Promise<Value>,
): Promise<RoundResults<Value>> {
  const results: RoundResults<Value> = { service: [], baseline: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['service', 'baseline'] as const) : (['baseline', 'service'] as const);
    for (const side of order) results[side].push(await measure(side));
    onProgress(`${round + 1} of ${rounds} rounds`);
  }
  return results;
}

/** Compare the median times of two calls, each repeated `runs` times in a round. */
export async function compareCalls(
  options: Pick<RoundOptions, 'rounds' | 'onProgress'>,
  row: string,
  runs: number,
  calls: Record<ComparisonSide, () => Promise<unknown>>,
  ratioGoal: RatioGoal | null = null,
): Promise<Measurement> {
  for (const call of Object.values(calls)) await call();
  const results = await alternateSides(options, async (side) => {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) times.push(await measureMs(calls[side]));
    return getQuantile(times, 0.5);
  });
  return { row, measure: 'median', unit: 'ms', ...results, ratioGoal };
}

/** The baseline is a limit, so that the ratio shows the used part of it. */
export function compareWithLimit(
  named: Pick<Measurement, 'row' | 'measure' | 'unit'> & Partial<Pick<Measurement, 'failed' | 'note'>>,
  values: number[],
  limit: number,
): Measurement {
  return { ...named, service: values, baseline: values.map(() => limit), ratioGoal: { max: 1 } };
}

export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
