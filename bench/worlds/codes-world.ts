import pg from 'pg';
import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import { createScannedCodes } from '../scan/scanned-codes.ts';
import { type BenchedService, runWithService } from '../service-process.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

/** Service with 1,000 URL codes without a PIN and codes with a page, and a bare handler on the same database. */
export interface CodesWorld extends BenchedService {
  codes: readonly string[];
  pages: readonly string[];
  barePort: number;
}

const CODE_COUNT = 1_000;
const POOL_SIZE = '10';

/** Start it until the work is done, and compare counts with rows at the end. */
export function runWithCodesWorld<Result>(work: (world: CodesWorld) => Promise<Result>): Promise<Result> {
  return runWithService(
    { DATABASE_POOL_SIZE: POOL_SIZE },
    async (service) => {
      const { port, ownerUrl, applicationUrl } = service;
      const codes = await createScannedCodes(`http://127.0.0.1:${port}`, ownerUrl, CODE_COUNT);
      return runWithChildProcess('scan/bare.ts', [applicationUrl, POOL_SIZE], async (baseline) => {
        const barePort = await waitForMessage<number>(baseline);
        await waitUntilIdle(ownerUrl);
        const result = await work({ ...service, ...codes, barePort });
        await assertCountsMatch(ownerUrl);
        return result;
      });
    },
    false,
  );
}

async function assertCountsMatch(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query(
    `SELECT (SELECT sum(total) FROM scan_counts)::int AS counted, (SELECT count(*) FROM scans)::int AS stored`,
  );
  await client.end();
  console.log(`${rows[0].stored} scans stored, ${rows[0].counted} counted on their codes`);
  if (rows[0].stored !== rows[0].counted) throw new Error('Counts and rows differ.');
}
