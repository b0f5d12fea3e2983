import { petQrCodeKind } from '../../src/features/codes/kinds/pet.ts';
import { createServiceOwner } from '../../test/process/create-service-owner.ts';
import { runQuery } from '../../test/scratch-folder.ts';
import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import { type BenchedService, runWithService } from '../service-process.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

/** Service with URL codes without a PIN and codes with a page, and a bare service on the same database. */
export interface CodesWorld extends BenchedService {
  codes: readonly string[];
  pages: readonly string[];
  barePort: number;
}

const CODE_COUNT = 1_000;
/** Codes of kind PET in addition: codes of kind URL have no page. */
const PAGE_CODE_COUNT = 100;
const POOL_SIZE = '10';

/** Start it until the work is done, and compare counts with rows at the end. */
export function runWithCodesWorld<Result>(work: (world: CodesWorld) => Promise<Result>): Promise<Result> {
  return runWithService({ DATABASE_POOL_SIZE: POOL_SIZE }, async (service) => {
    const { base, ownerUrl, applicationUrl } = service;
    const codes = await createCodes(base, ownerUrl);
    return runWithChildProcess('baselines/bare-service.ts', [applicationUrl, POOL_SIZE], async (baseline) => {
      const barePort = await waitForMessage<number>(baseline);
      await waitUntilIdle(ownerUrl);
      const result = await work({ ...service, ...codes, barePort });
      await assertCountsMatch(ownerUrl);
      return result;
    });
  });
}

async function createCodes(base: string, ownerUrl: string) {
  const { post } = await createServiceOwner(base, ownerUrl);
  const codes: string[] = [];
  const pages: string[] = [];
  while (codes.length < CODE_COUNT) {
    const data = { url: `https://example.org/${codes.length}` };
    const { id = '' } = await post('/api/qrcodes', { kind: 'URL', title: `Code ${codes.length}`, data });
    codes.push(id);
    if (codes.length % 100 === 0) process.stderr.write(`${codes.length} of ${CODE_COUNT} codes\n`);
  }
  while (pages.length < PAGE_CODE_COUNT) {
    const { example: data } = petQrCodeKind;
    const page = { kind: 'PET', title: 'Rex', data, visibility: { owner: 'PUBLIC' } };
    pages.push((await post('/api/qrcodes', page)).id ?? '');
  }
  return { codes, pages };
}

async function assertCountsMatch(ownerUrl: string): Promise<void> {
  const [row] = await runQuery(
    ownerUrl,
    `SELECT (SELECT sum(total) FROM scan_counts)::int AS counted, (SELECT count(*) FROM scans)::int AS stored`,
  );
  if (row?.stored !== row?.counted)
    throw new Error(`${row?.stored} scans are stored, and ${row?.counted} counted.`);
}
