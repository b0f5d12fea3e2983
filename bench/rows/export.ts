import { nextMessage, withForked } from '../forked.ts';
import { inTurns } from '../load/compare.ts';
import type { Read } from '../scan-export/raw-copy.ts';
import { watchMemory } from '../scan-export/watch-memory.ts';
import type { DataPlace } from '../worlds/data-world.ts';
import type { MillionRow } from './row.ts';

/** Each reads a million rows. */
const MOST_ROUNDS = 3;

/** MiB by which the service may grow. */
const MOST_GROWTH = 50;

/** The export of all scans of the organization, exact positions deciphered, against raw COPY with the same deciphering. */
export const exportRow: MillionRow = {
  name: 'export',
  world: 'MILLION',
  measure: (turns, place) =>
    withForked('scan-export/raw-copy.ts', [place.folder, place.data.organization.id], async (raw) => {
      await nextMessage(raw);
      const token = await place.tokenOf(place.data.organization.id);
      const growths: number[] = [];
      const rounds = Math.min(turns.rounds, MOST_ROUNDS);
      const rates = await inTurns({ ...turns, rounds }, async (side) => {
        if (side === 'service') {
          const { read, growth } = await exported(place, token);
          growths.push(...growth);
          return rateOf(place, read);
        }
        raw.send('again');
        return rateOf(place, await nextMessage<Read>(raw));
      });
      const growth = { row: 'export', measure: 'growth of memory', unit: 'MiB', service: growths };
      return [
        { row: 'export', measure: 'scans a second', unit: '/s', ...rates, goal: { least: 0.5 } },
        // A bound and not another's memory, so that the ratio tells which part of it is used.
        { ...growth, baseline: growths.map(() => MOST_GROWTH), goal: { most: 1 } },
      ];
    }),
};

function rateOf({ data }: DataPlace, { rows, seconds }: Read): number {
  if (rows !== data.size.scans) throw new Error(`${rows} scans were read, and there are ${data.size.scans}.`);
  return rows / seconds;
}

async function exported({ port, pid }: DataPlace, token: string): Promise<{ read: Read; growth: number[] }> {
  const watch = await watchMemory(pid);
  const begun = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/api/scans/export?format=jsonl`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!answer.ok || !answer.body) throw new Error(`The export was answered with ${answer.status}.`);
  let rows = 0;
  for await (const chunk of answer.body)
    rows += linesIn(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  const seconds = (performance.now() - begun) / 1000;
  const memory = await watch?.();
  return { read: { rows, seconds }, growth: memory ? [memory.most - memory.before] : [] };
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}
