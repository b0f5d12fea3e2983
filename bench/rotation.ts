// Re-encrypt 100,000 values under a new key with the real command, which is killed ten times, while requests read and
// write: `npm run bench:rotation` (or `-- <rows> <kills>`). Exits with 1 if a value is lost, altered or left under the
// old key, or if a response is unexpected.
import { startBenchApp } from './bench-app.ts';
import { readNumberArguments } from './read-arguments.ts';
import { rotateUnderKills } from './rotation/run.ts';
import { withScratchDatabase } from './scratch-database.ts';

const [rows = 0, kills = 0] = readNumberArguments(import.meta.url, 100_000, 10);

process.exitCode = await withScratchDatabase(async (scratch) => {
  const app = await startBenchApp(scratch);
  try {
    const result = await rotateUnderKills(app, { rows, kills, log: (text) => console.log(text) });
    const { end, stateBetweenKills, wrongAnswers } = result;
    const lostCount = [...stateBetweenKills, end].reduce(
      (sum, { mismatches, unreadable }) => sum + mismatches + unreadable,
      0,
    );
    console.log(`killed ${result.kills} times; the last run ended with ${result.exitCode}`);
    console.log(
      `${end.values} values: ${lostCount} lost, ${end.stale} left behind, ${result.changedDuringRotation} records touched`,
    );
    console.log(
      `${result.requests} requests meanwhile: ${wrongAnswers.length} wrong, ${result.busy} retried after 503, the longest ${Math.round(result.maxMs)} ms`,
    );
    for (const line of wrongAnswers.slice(0, 20)) console.error(line);
    const isPassed = lostCount + end.stale + wrongAnswers.length + result.changedDuringRotation === 0;
    return isPassed && result.kills === kills && result.exitCode === 0 ? 0 : 1;
  } finally {
    await app.close();
  }
});
process.exit();
