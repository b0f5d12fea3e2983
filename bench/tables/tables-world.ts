import type { RoundOptions } from '../benchmark.ts';
import { type ScratchDatabase, withScratchDatabase } from '../scratch-database.ts';
import { fillTables } from './fill-tables.ts';
import { insertManyCodes } from './many-codes.ts';

/** Database without a service, whose tables are filled as after a year of use. */
export interface TablesWorld extends ScratchDatabase {
  /** Owner of a tenth of the codes, and of a tenth of all rows. */
  accountId: string;
}

const CODES = 1_000_000;
const SCANS = 1_000_000;
const USERS = 90_000;
const OTHER_ROWS = 100_000;

export function runWithTables<Result>(
  { scale, binariesFolder }: Pick<RoundOptions, 'scale' | 'binariesFolder'>,
  work: (world: TablesWorld) => Promise<Result>,
): Promise<Result> {
  return withScratchDatabase(
    async (scratch) => {
      const log = (text: string) => process.stderr.write(`${text}\n`);
      const accountId = await insertManyCodes(scratch.ownerUrl, scale(CODES), log);
      const size = { scans: scale(SCANS), users: scale(USERS), others: scale(OTHER_ROWS) };
      await fillTables(scratch.ownerUrl, accountId, size, log);
      return work({ ...scratch, accountId });
    },
    { binariesFolder },
  );
}
