import type { CopyReadResult } from '../baselines/raw-copy.ts';
import type { MillionScansBenchmark } from '../benchmark.ts';
import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import { alternateSides, compareWithLimit } from '../measure.ts';
import { measureMemoryGrowth } from '../process-usage.ts';
import type { DataWorld } from '../worlds/data-world.ts';

/** Each round reads a million rows. */
const MAX_ROUNDS = 3;

const MAX_GROWTH_MIB = 50;

/** Compare the export of all scans, with decrypted positions, with a raw COPY and the same decryption. */
export const scanExportBenchmark: MillionScansBenchmark = {
  world: 'MILLION_SCANS',
  async measure(options, world) {
    const owner = world.data.organization.id;
    const token = await world.createToken(owner);
    return runWithChildProcess('baselines/raw-copy.ts', [world.folder, owner], async (raw) => {
      await waitForMessage(raw);
      const growths: number[] = [];
      const rounds = Math.min(options.rounds, MAX_ROUNDS);
      const rates = await alternateSides({ ...options, rounds }, async (side) => {
        if (side === 'baseline') {
          raw.send('again');
          return getRowsPerSecond(world, await waitForMessage<CopyReadResult>(raw));
        }
        const { result, growthMib } = await measureMemoryGrowth(world.pid, () => exportScans(world, token));
        if (growthMib !== null) growths.push(growthMib);
        return getRowsPerSecond(world, result);
      });
      const row = 'scan-export';
      return [
        { row, measure: 'scans a second', unit: '/s', ...rates, ratioGoal: { min: 0.5 } },
        compareWithLimit({ row, measure: 'growth of memory', unit: 'MiB' }, growths, MAX_GROWTH_MIB),
      ];
    });
  },
};

function getRowsPerSecond({ data }: DataWorld, { rows, seconds }: CopyReadResult): number {
  if (rows !== data.size.scans) throw new Error(`${rows} scans were read, and there are ${data.size.scans}.`);
  return rows / seconds;
}

async function exportScans({ base }: DataWorld, token: string): Promise<CopyReadResult> {
  const startedAt = performance.now();
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${base}/api/scans/export?format=jsonl`, { headers });
  if (!response.ok || !response.body) throw new Error(`The export was answered with ${response.status}.`);
  let rows = 0;
  for await (const chunk of response.body)
    rows += countLines(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  return { rows, seconds: (performance.now() - startedAt) / 1000 };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}
