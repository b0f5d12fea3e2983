import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import { alternateSides } from '../load/compare.ts';
import type { CopyReadResult } from '../scan-export/raw-copy.ts';
import { watchMemory } from '../scan-export/watch-memory.ts';
import type { DataWorld } from '../worlds/data-world.ts';
import type { OneMillionScansRow } from './row.ts';

/** Each round reads a million rows. */
const MAX_ROUNDS = 3;

const MAX_GROWTH_MIB = 50;

/** Compare the export of all scans, with decrypted positions, with a raw COPY and the same decryption. */
export const exportRow: OneMillionScansRow = {
  name: 'export',
  world: 'MILLION',
  measure: (options, world) =>
    runWithChildProcess(
      'scan-export/raw-copy.ts',
      [world.folder, world.data.organization.id],
      async (raw) => {
        await waitForMessage(raw);
        const token = await world.createToken(world.data.organization.id);
        const growths: number[] = [];
        const rounds = Math.min(options.rounds, MAX_ROUNDS);
        const rates = await alternateSides({ ...options, rounds }, async (side) => {
          if (side === 'service') {
            const { copy, growth } = await measureExport(world, token);
            growths.push(...growth);
            return getRowsPerSecond(world, copy);
          }
          raw.send('again');
          return getRowsPerSecond(world, await waitForMessage<CopyReadResult>(raw));
        });
        const growth = { row: 'export', measure: 'growth of memory', unit: 'MiB', service: growths };
        return [
          { row: 'export', measure: 'scans a second', unit: '/s', ...rates, ratioGoal: { min: 0.5 } },
          // The baseline is a limit, so that the ratio shows the used part of it.
          { ...growth, baseline: growths.map(() => MAX_GROWTH_MIB), ratioGoal: { max: 1 } },
        ];
      },
    ),
};

function getRowsPerSecond({ data }: DataWorld, { rows, seconds }: CopyReadResult): number {
  if (rows !== data.size.scans) throw new Error(`${rows} scans were read, and there are ${data.size.scans}.`);
  return rows / seconds;
}

async function measureExport(
  { port, pid }: DataWorld,
  token: string,
): Promise<{ copy: CopyReadResult; growth: number[] }> {
  const watch = await watchMemory(pid);
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/api/scans/export?format=jsonl`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!response.ok || !response.body) throw new Error(`The export was answered with ${response.status}.`);
  let rows = 0;
  for await (const chunk of response.body)
    rows += countLines(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  const seconds = (performance.now() - startedAt) / 1000;
  const memory = await watch?.();
  return { copy: { rows, seconds }, growth: memory ? [memory.maxMib - memory.initialMib] : [] };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}
