import { reclassifyScans } from '../../../src/features/scans/reclassify-scans.ts';
import { rollUpScanCounts } from '../../../src/features/scans/statistics/roll-up.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { PHONE_USER_AGENT, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { runConcurrently } from '../identity/accounts/helper.ts';
import { findCounts, startScans } from './helper.ts';

const classesOf = async ({ database }: Pick<TestApp, 'database'>) =>
  (await database.client.scan.findMany({ orderBy: { id: 'asc' } })).map(
    ({ id, class: name, classRule, isUnique }) => ({
      id,
      name,
      classRule,
      isUnique,
    }),
  );

/** Set the classes that an older version would have stored: all HUMAN and unique. */
async function forgetClasses({ database }: Pick<TestApp, 'database'>): Promise<void> {
  await database.pool.query(
    `UPDATE scans SET class = 'HUMAN', class_rule = 'no-other-rule', is_unique = true
     WHERE class_rule IN ('no-other-rule', 'bot-agent', 'preview-agent', 'no-agent', 'same-visitor')`,
  );
  await database.pool.query(
    `UPDATE scan_counts SET humans = (SELECT count(*) FROM scans WHERE qr_code_id = scan_counts.qr_code_id AND class = 'HUMAN'),
            uniques = (SELECT count(*) FROM scans WHERE qr_code_id = scan_counts.qr_code_id AND is_unique)`,
  );
}

t.test('reclassifies stored scans, and all counts follow', async (t) => {
  const test = await startScans(t);
  const { scan, code, owner, call, database } = test;
  const ids = [await code(), await code()];
  const agents = [PHONE_USER_AGENT, `${PHONE_USER_AGENT} other`, 'curl/8.5.0', 'WhatsApp/2.24.20.89 A', ''];
  await runConcurrently(60, (index) =>
    scan(
      { qrCodeId: ids[index % 2] },
      { headers: { 'user-agent': agents[index % 5] ?? '' }, remoteAddress: `10.0.${index % 3}.1` },
    ),
  );
  await call('POST', '/api/scans', { token: owner.accessToken, body: { qrCodeId: ids[0] } });
  await call('GET', `/s/${ids[0]}`, { headers: { 'sec-purpose': 'prefetch' } });
  const right = await classesOf(test);
  t.same(new Set(right.map(({ name }) => name)), new Set(['HUMAN', 'BOT', 'PREVIEW', 'OWNER', 'DUPLICATE']));
  t.match(await reclassifyScans(database), { changed: 0, next: null }, 'correct classes stay');
  await forgetClasses(test);
  t.notSame(await classesOf(test), right);
  const { changed } = await reclassifyScans(database);
  t.ok(changed > 30);
  const again = await classesOf(test);
  t.same(again.map(({ name }) => name).sort(), right.map(({ name }) => name).sort());
  for (const id of ids) {
    const { counters, rows } = await findCounts(test, id);
    t.same(counters, rows);
    const stats = (await call('GET', `/api/qrcodes/${id}/stats`, { token: owner.accessToken })).body;
    t.match(stats, counters, 'statistics follow');
  }
  t.equal((await reclassifyScans(database)).changed, 0, 'a second time changes nothing');
});

t.test('reclassification can be stopped and resumed during new scans and roll-ups', async (t) => {
  const test = await startScans(t);
  const { scan, code, database } = test;
  const id = await code();
  const from = new Date(Date.now() - 3 * DAY_MS);
  await scan({ qrCodeId: id }, { headers: { 'user-agent': 'curl/8.5.0' } });
  await forgetClasses(test);
  const ending = new AbortController();
  const first = await reclassifyScans(database, {
    from,
    progress: () => ending.abort(),
    signal: ending.signal,
  });
  t.ok(first.next && first.next > from);
  const busy = runConcurrently(40, (index) =>
    scan({ qrCodeId: id }, { headers: { 'user-agent': `${PHONE_USER_AGENT} ${index}` } }),
  );
  const [, , { next }] = await Promise.all([
    busy,
    rollUpScanCounts(database),
    reclassifyScans(database, { from: first.next ?? from }),
  ]);
  t.equal(next, null);
  const { counters, rows } = await findCounts(test, id);
  t.same(counters, rows);
  t.same(counters, { total: 41, humans: 40, unique: 40 });
});
