// Measure what a scan costs: bytes in each table and its indexes, WAL, and CPU of the service and of PostgreSQL, for the
// scan itself, for its notification and for its roll-ups. Codes are scanned in turn, as many as there are.
//   npm run bench:scan-cost                                    30 s of scans of 20,000 codes, embedded PostgreSQL
//   npm run bench:scan-cost -- --seconds 60 --codes 100 --postgres /usr/lib/postgresql/15/bin
import { parseArgs } from 'node:util';
import { insertManyCodes } from './many-codes.ts';
import { isWholeNumber, readOptions } from './read-arguments.ts';
import { runWithApp } from './running-app.ts';
import { measureScanCost } from './scan/measure-cost.ts';
import { withScratchDatabase } from './scratch-database.ts';

const options = readOptions(import.meta.url, parseOptions);

const TOTAL_CODES = 50_000;
const { seconds, codes, binariesFolder } = options;

await withScratchDatabase(
  async (database) => {
    await insertManyCodes(database.ownerUrl, TOTAL_CODES);
    await runWithApp(database, (app) => measureScanCost(database, app, { seconds, codes }), false);
  },
  { binariesFolder },
);
process.exit();

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      postgres: { type: 'string' },
      seconds: { type: 'string', default: '30' },
      codes: { type: 'string', default: '20000' },
    },
  });
  if (!isWholeNumber(values.seconds) || !isWholeNumber(values.codes)) return null;
  const [duration, count] = [Number(values.seconds), Number(values.codes)];
  if (duration < 1 || count < 1 || count > TOTAL_CODES) return null;
  return { seconds: duration, codes: count, binariesFolder: values.postgres };
}
