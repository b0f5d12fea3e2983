import { reclassifyScans } from '../features/scans/reclassify-scans.ts';
import { readWords } from '../shared/usage.ts';
import { runCommand } from './command-context.ts';
import { counted } from './counted.ts';
import { progressOn } from './progress.ts';

const [, day] = readWords(
  `Usage:
  npm run scans:reclassify                          decides again by today's rules whom each scan is by
  npm run scans:reclassify -- --from 2026-01-31     the same from a UTC day on`,
  (words) => words.length === 0 || (words.length === 2 && words[0] === '--from' && isDay(words[1])),
);

function isDay(word = ''): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(word) && !Number.isNaN(Date.parse(word));
}

await runCommand('scans:reclassify', async ({ services, stopping }) => {
  const progress = progressOn(process.stderr, 'days');
  const { changed, next } = await reclassifyScans(services.database, {
    from: day ? new Date(day) : undefined,
    progress: (done, total) => progress.step(done, total),
    signal: stopping,
  });
  progress.end();
  console.log(`${counted(changed, 'scan')} counted otherwise than before.`);
  if (!next) return 0;
  console.error(`Ended before all was done: go on with --from ${next.toISOString().slice(0, 10)}.`);
  return 130;
});
