import { repeatBackup } from '../../src/commands/backup/repeat-backup.ts';
import { HOUR_MS } from '../../src/shared/durations.ts';
import { t } from '../tap.ts';

t.test('a backup runs in each interval, and again an hour after a failure', async (t) => {
  const printed = t.capture(console, 'log');
  const ending = new AbortController();
  const steps: string[] = [];
  const outcomes = [false, true];
  const run = (lastBackupAt: number | undefined) =>
    repeatBackup({
      intervalMs: 24 * HOUR_MS,
      lastBackupAt,
      signal: ending.signal,
      runBackup: async () => {
        steps.push('backup');
        return outcomes.shift() ?? true;
      },
      wait: async (ms) => {
        steps.push(`${Math.round(ms / HOUR_MS)} h`);
        if (outcomes.length === 0) ending.abort();
      },
    });
  await run(Date.now() - 20 * HOUR_MS);
  t.same(steps.splice(0), ['4 h', 'backup', '1 h', 'backup', '24 h']);
  t.match(printed.args(), [[/^Next backup: \d{4}-\d\d-\d\dT/], [/^Next backup: /], [/^Next backup: /]]);
  await run(undefined);
  t.same(steps, [], 'none begins after the end');
});

t.test('a first or overdue backup runs at once, and an end does not wait for the next', async (t) => {
  t.capture(console, 'log');
  for (const lastBackupAt of [undefined, Date.now() - 25 * HOUR_MS]) {
    const ending = new AbortController();
    let runs = 0;
    await repeatBackup({
      intervalMs: 24 * HOUR_MS,
      lastBackupAt,
      signal: ending.signal,
      runBackup: async () => {
        runs += 1;
        setImmediate(() => ending.abort());
        return true;
      },
    });
    t.equal(runs, 1);
  }
});
