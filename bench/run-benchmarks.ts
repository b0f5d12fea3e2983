import type { Benchmark, RoundOptions } from './benchmark.ts';
import { BENCHMARKS } from './catalogue.ts';
import type { BenchOptions } from './options.ts';
import type { Measurement } from './table.ts';
import { runWithTables } from './tables/tables-world.ts';
import { runWithCodesWorld } from './worlds/codes-world.ts';
import { runWithDataWorld } from './worlds/data-world.ts';

const SMALL_SCAN_COUNT = 10_000;
const ONE_MILLION = 1_000_000;
const MIN_ROWS = 100;

/** Run the selected benchmarks; those of the same world share it. */
export async function runBenchmarks(options: BenchOptions): Promise<Measurement[]> {
  const scale = (rows: number) => Math.max(MIN_ROWS, Math.round((rows * options.percent) / 100));
  const binariesFolder = options.postgres ?? undefined;
  const selected = await Promise.all(
    BENCHMARKS.filter(({ name }) => options.names.includes(name)).map(async ({ name, load }) => ({
      name,
      benchmark: await load(),
    })),
  );
  const measurements: Measurement[] = [];

  async function run<World extends Benchmark['world'], Instance>(
    world: World,
    start: (work: (instance: Instance) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const chosen = selected.filter(({ benchmark }) => benchmark.world === world);
    if (chosen.length === 0) return;
    await start(async (instance) => {
      for (const { name, benchmark } of chosen) {
        const measure = benchmark.measure as (
          options: RoundOptions,
          world: Instance,
        ) => Promise<Measurement[]>;
        const onProgress = (text: string) => process.stderr.write(`${name}: ${text}\n`);
        const { rounds, seconds } = options;
        const lines = await measure({ rounds, seconds, scale, binariesFolder, onProgress }, instance).catch(
          (error: unknown) => [createFailure(name, error)],
        );
        onProgress(`measured, ${lines.length} lines`);
        measurements.push(...lines);
      }
    });
  }

  await run('CODES', runWithCodesWorld);
  await run('TABLES', (work) => runWithTables({ scale, binariesFolder }, work));
  await run('MILLION_SCANS', (work) => runWithDataWorld(scale(ONE_MILLION), options.data, work));
  await run('FIVE_MILLION_SCANS', (work) =>
    runWithDataWorld(scale(SMALL_SCAN_COUNT), options.data, (small) =>
      runWithDataWorld(scale(5 * ONE_MILLION), options.data, (large) => work({ small, large })),
    ),
  );
  await run('OWN', (work) => work(null));
  return measurements;
}

/** The others are still measured. */
function createFailure(row: string, error: unknown): Measurement {
  console.error(error);
  const note = error instanceof Error ? error.message : String(error);
  return { row, measure: 'failed', unit: '', service: [], baseline: [], ratioGoal: null, failed: 1, note };
}
