import { setTimeout as wait } from 'node:timers/promises';
import { runQuery } from '../../test/scratch-folder.ts';
import type { OwnBenchmark } from '../benchmark.ts';
import { measureScansBeside } from '../load/beside.ts';
import { measureMemoryGrowth } from '../process-usage.ts';
import type { Measurement } from '../table.ts';
import { createScannedCode, type DataWorld, runWithDataWorld } from '../worlds/data-world.ts';

/** With so many scans the account has 20,000 codes. */
const GENERATED_SCANS = 200_000;
const POLL_MS = 250;

/** Compare public scans beside the export of all data of an account, and beside its erasure, with scans alone. */
export const accountBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithDataWorld(options.scale(GENERATED_SCANS), null, async (world) => {
      const code = await createScannedCode(world);
      const once = { ...options, rounds: 1 };
      let growthMib: number | null = null;
      const exported = await measureScansBeside('account, export', once, code, async () => {
        const measured = await measureMemoryGrowth(world.pid, () => exportAccount(world));
        growthMib = measured.growthMib;
      });
      const erased = await measureScansBeside('account, erasure', once, code, () => eraseAccount(world));
      return [
        exported.scans,
        toLine('account, export', 'seconds', 's', exported.seconds),
        toLine('account, export', 'growth of memory', 'MiB', growthMib === null ? [] : [growthMib]),
        erased.scans,
        toLine('account, erasure', 'seconds until no row is left', 's', erased.seconds),
      ];
    }),
};

function toLine(row: string, measure: string, unit: string, service: number[]): Measurement {
  return { row, measure, unit, service, baseline: [], ratioGoal: null };
}

async function exportAccount(world: DataWorld): Promise<void> {
  const { base } = world;
  const headers = await logIn(world);
  const requested = await fetch(`${base}/api/auth/export`, { headers });
  if (requested.status !== 202) {
    await requested.arrayBuffer();
    if (requested.status !== 200) throw new Error(`The export was answered ${requested.status}.`);
    return;
  }
  const { id } = (await requested.json()) as { id: string };
  for (;;) {
    const response = await fetch(`${base}/api/auth/exports/${id}`, { headers });
    const { status } = (await response.json()) as { status: string };
    if (status === 'READY') break;
    if (status === 'FAILED') throw new Error('The export failed.');
    await wait(POLL_MS);
  }
  const content = await fetch(`${base}/api/auth/exports/${id}/content`, { headers });
  // Not kept in the memory of this process.
  for await (const chunk of content.body ?? []) void chunk;
}

async function eraseAccount(world: DataWorld): Promise<void> {
  const { base, ownerUrl } = world;
  const response = await fetch(`${base}/api/auth/account`, {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json', ...(await logIn(world)) },
    body: '{}',
  });
  if (!response.ok) throw new Error(`The erasure was answered ${response.status}: ${await response.text()}`);
  while ((await runQuery(ownerUrl, 'SELECT 1 FROM erasures WHERE finished_at IS NULL')).length > 0)
    await wait(POLL_MS);
}

/** Both need a fresh login. */
async function logIn({ data, createToken }: DataWorld): Promise<{ Authorization: string }> {
  return { Authorization: `Bearer ${await createToken(data.organization.id)}` };
}
