import { startBenchApp } from '../../bench/bench-app.ts';
import { rotateUnderKills } from '../../bench/rotation/run.ts';
import { cloneDatabase } from '../helper.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

t.test('key rotation killed twice loses nothing, and the service keeps answering', async (t) => {
  const url = await cloneDatabase(t);
  const scratch = {
    ownerUrl: url.owner,
    applicationUrl: url.application,
    folder: await createScratchFolder(t),
  };
  const app = await startBenchApp(scratch);
  t.teardown(async () => {
    await app.close();
    await url.drop();
  });
  const result = await rotateUnderKills(app, { rows: 2_000, kills: 2, log: (text) => t.comment(text) });
  t.equal(result.kills, 2);
  t.equal(result.exitCode, 0);
  for (const { mismatches, unreadable, values } of [...result.stateBetweenKills, result.end]) {
    t.same({ mismatches, unreadable }, { mismatches: 0, unreadable: 0 });
    t.ok(values >= 2_000);
  }
  t.equal(result.end.stale, 0, 'no value is left under an old key');
  t.equal(result.changedDuringRotation, 0, 'rotation changes no version and no update time');
  t.ok(result.requests > 10);
  t.same(result.wrongAnswers, []);
});
