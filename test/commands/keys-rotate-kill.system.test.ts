import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { createKeyFilePath } from './keys-helper.ts';
import { rotateUnderKills } from './rotation/rotate-under-kills.ts';

t.test('key rotation killed twice loses nothing, and the service keeps answering', async (t) => {
  const app = await startTestApp(t, {
    BILLING: 'off',
    RATE_LIMIT_SCALE: '1000000',
    ENCRYPTION_KEYS_FILE: await createKeyFilePath(t),
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
