import { readCommandArguments } from '../shared/command-usage.ts';
import { formatCountWithNoun } from './format-count.ts';
import { createCommandProgress } from './progress.ts';

const [, day] = readCommandArguments(
  `Usage:
  npm run maintenance -- reclassify-scans                    classifies all scans again by the current rules
  npm run maintenance -- reclassify-scans --from 2026-01-31  only scans from this UTC day on`,
  (words) => words.length === 0 || (words.length === 2 && words[0] === '--from' && isIsoDay(words[1])),
);
const { runCommand } = await import('./command-context.ts');
const { reclassifyScans } = await import('../features/scans/index.ts');

function isIsoDay(value = ''): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}

await runCommand('maintenance reclassify-scans', async ({ services, signal }) => {
  const progress = createCommandProgress(process.stderr, 'days');
  const { changed, next } = await reclassifyScans(services.database, {
    from: day ? new Date(day) : undefined,
    progress: (done, total) => progress.step(done, total),
    signal,
  });
  progress.end();
  console.log(`${formatCountWithNoun(changed, 'scan')} reclassified.`);
  if (!next) return 0;
  console.error(`Interrupted: continue with --from ${next.toISOString().slice(0, 10)}.`);
  return 130;
});
