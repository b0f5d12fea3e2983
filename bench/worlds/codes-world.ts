import pg from 'pg';
import { nextMessage, withForked } from '../forked.ts';
import { makeScannedCodes } from '../scan/scanned-codes.ts';
import { type BenchedService, withService } from '../service-process.ts';
import { untilQuiet } from './until-quiet.ts';

/** A running service with 1,000 URL codes without a PIN and some that have a page, and a bare handler on the same database. */
export interface CodesPlace extends BenchedService {
  codes: readonly string[];
  pages: readonly string[];
  barePort: number;
}

const CODES = 1_000;
const POOL = '10';

/** Brings it up for as long as the work lasts, and compares counts with rows at the end. */
export function withCodesWorld<Result>(work: (place: CodesPlace) => Promise<Result>): Promise<Result> {
  return withService(
    { DATABASE_POOL_SIZE: POOL },
    async (service) => {
      const { port, ownerUrl, applicationUrl } = service;
      const scanned = await makeScannedCodes(`http://127.0.0.1:${port}`, ownerUrl, CODES);
      return withForked('scan/bare.ts', [applicationUrl, POOL], async (bare) => {
        const barePort = await nextMessage<number>(bare);
        await untilQuiet(ownerUrl);
        const result = await work({ ...service, ...scanned, barePort });
        await compareCounts(ownerUrl);
        return result;
      });
    },
    false,
  );
}

/** What was counted equals what was stored. */
async function compareCounts(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query(
    `SELECT (SELECT sum(total) FROM scan_counts)::int AS counted, (SELECT count(*) FROM scans)::int AS stored`,
  );
  await client.end();
  console.log(`${rows[0].stored} scans stored, ${rows[0].counted} counted on their codes`);
  if (rows[0].stored !== rows[0].counted) throw new Error('Counts and rows differ.');
}
