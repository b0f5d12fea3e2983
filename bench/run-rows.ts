import type { BenchOptions } from './bench-options.ts';
import type { RoundOptions } from './load/compare.ts';
import { BENCH_ROWS } from './rows/all-rows.ts';
import type { BenchRow } from './rows/row.ts';
import type { Measurement } from './table.ts';
import { runWithCodesWorld } from './worlds/codes-world.ts';
import { runWithDataWorld } from './worlds/data-world.ts';

const SMALL_SCAN_COUNT = 10_000;
const ONE_MILLION = 1_000_000;

export async function runRows(choice: BenchOptions): Promise<Measurement[]> {
  const scans = (defaultCount: number) => Math.max(1_000, Math.round((defaultCount * choice.percent) / 100));
  const measurements: Measurement[] = [];

  async function run<World extends BenchRow['world']>(
    world: World,
    bringUp: (
      work: (instance: Parameters<RowOfWorld<World>['measure']>[1]) => Promise<void>,
    ) => Promise<void>,
  ): Promise<void> {
    const rows = BENCH_ROWS.filter((row): row is RowOfWorld<World> => row.world === world).filter(
      ({ name }) => choice.rows.includes(name),
    );
    if (rows.length === 0) return;
    await bringUp(async (instance) => {
      for (const row of rows) {
        const options = toRoundOptions(choice, row.name);
        measurements.push(...(await (row.measure as MeasureRow<typeof instance>)(options, instance)));
      }
    });
  }

  await run('CODES', runWithCodesWorld);
  await run('NONE', (work) => work(null));
  await run('MILLION', (work) => runWithDataWorld(scans(ONE_MILLION), choice.data, work));
  await run('FIVE_MILLION', (work) =>
    runWithDataWorld(scans(SMALL_SCAN_COUNT), choice.data, (small) =>
      runWithDataWorld(scans(5 * ONE_MILLION), choice.data, (large) => work({ small, large })),
    ),
  );
  return measurements;
}

type RowOfWorld<World extends BenchRow['world']> = Extract<BenchRow, { world: World }>;

type MeasureRow<WorldInstance> = (options: RoundOptions, instance: WorldInstance) => Promise<Measurement[]>;

function toRoundOptions({ rounds, seconds }: BenchOptions, row: string): RoundOptions {
  return { rounds, seconds, onProgress: (text) => process.stderr.write(`${row}: ${text}\n`) };
}
