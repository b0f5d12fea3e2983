import type { Choice } from './choice.ts';
import type { Turns } from './load/compare.ts';
import { ROWS } from './rows/all-rows.ts';
import type { Row } from './rows/row.ts';
import type { Measured } from './table.ts';
import { withCodesWorld } from './worlds/codes-world.ts';
import { withDataWorld } from './worlds/data-world.ts';

const SMALL = 10_000;
const MILLION = 1_000_000;

/** Measures the rows of a choice; those that share a world one after the other in the same. */
export async function runRows(choice: Choice): Promise<Measured[]> {
  const scans = (usual: number) => Math.max(1_000, Math.round((usual * choice.percent) / 100));
  const measured: Measured[] = [];

  async function run<World extends Row['world']>(
    world: World,
    bringUp: (work: (place: Parameters<RowOf<World>['measure']>[1]) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const rows = ROWS.filter((row): row is RowOf<World> => row.world === world).filter(({ name }) =>
      choice.rows.includes(name),
    );
    if (rows.length === 0) return;
    await bringUp(async (place) => {
      for (const row of rows) {
        const turns = turnsOf(choice, row.name);
        measured.push(...(await (row.measure as Measure<typeof place>)(turns, place)));
      }
    });
  }

  await run('CODES', withCodesWorld);
  await run('NONE', (work) => work(null));
  await run('MILLION', (work) => withDataWorld(scans(MILLION), choice.data, work));
  await run('FIVE_MILLION', (work) =>
    withDataWorld(scans(SMALL), choice.data, (small) =>
      withDataWorld(scans(5 * MILLION), choice.data, (large) => work({ small, large })),
    ),
  );
  return measured;
}

type RowOf<World extends Row['world']> = Extract<Row, { world: World }>;

type Measure<Place> = (turns: Turns, place: Place) => Promise<Measured[]>;

function turnsOf({ rounds, seconds }: Choice, row: string): Turns {
  return { rounds, seconds, say: (text) => process.stderr.write(`${row}: ${text}\n`) };
}
