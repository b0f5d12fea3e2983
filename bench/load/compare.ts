import type { ChildProcess } from 'node:child_process';
import type { RoundOptions } from '../benchmark.ts';
import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import { alternateSides, type ComparisonSide, getQuantile, type RoundResults } from '../measure.ts';
import type { Measurement, RatioGoal } from '../table.ts';
import type { LoadResult, LoadTask } from './load-process.ts';

const WARM_UP_SECONDS = 2;

export async function compareLoads(
  options: Pick<RoundOptions, 'rounds' | 'seconds' | 'onProgress'>,
  sides: Record<ComparisonSide, Omit<LoadTask, 'seconds'>>,
): Promise<RoundResults<LoadResult>> {
  return runWithLoadClient(async (run) => {
    for (const side of ['service', 'baseline'] as const)
      await run({ ...sides[side], seconds: Math.min(WARM_UP_SECONDS, options.seconds) });
    return alternateSides(options, (side) => run({ ...sides[side], seconds: options.seconds }));
  });
}

export function runWithLoadClient<Result>(
  work: (run: (task: LoadTask) => Promise<LoadResult>) => Promise<Result>,
): Promise<Result> {
  return runWithChildProcess('load/load-process.ts', [], (client: ChildProcess) =>
    work(async (task) => {
      client.send(task);
      return waitForMessage<LoadResult>(client);
    }),
  );
}

const LOAD_MEASURES = {
  rate: {
    measure: 'answers a second',
    unit: '/s',
    read: ({ requestsPerSecond }: LoadResult) => requestsPerSecond,
  },
  median: { measure: 'median', unit: 'ms', read: ({ ms }: LoadResult) => getQuantile(ms, 0.5) },
  p99: { measure: 'p99', unit: 'ms', read: ({ ms }: LoadResult) => getQuantile(ms, 0.99) },
} as const;

export function toMeasurements(
  row: string,
  { service, baseline }: RoundResults<LoadResult>,
  goals: Partial<Record<keyof typeof LOAD_MEASURES, RatioGoal | null>>,
): Measurement[] {
  const failed = [...service, ...baseline].reduce((sum, result) => sum + result.failed, 0);
  const measures = (Object.keys(LOAD_MEASURES) as (keyof typeof LOAD_MEASURES)[]).filter(
    (name) => name in goals,
  );
  return measures.map((name) => {
    const { measure, unit, read } = LOAD_MEASURES[name];
    const values = { service: service.map(read), baseline: baseline.map(read) };
    return { row, measure, unit, ...values, ratioGoal: goals[name] ?? null, failed };
  });
}
