import { getOwnerPreviewUrl } from '../../../src/features/codes/owner-preview-url.ts';
import { recordRepeatedAccesses } from '../../../src/platform/repeated-access.repository.ts';
import { generateAbsentId } from '../../helper.ts';
import { freezeRateWindow } from '../../rate-window.ts';
import { t } from '../../tap.ts';
import { findAuditEntries } from '../identity/accounts/helper.ts';
import { createGalleryClient, ONE_PIXEL_PNG } from '../memory-tags/gallery-helper.ts';
import { startScans } from '../scans/helper.ts';

const FACT = 'Penicillin';
const MEDICAL = {
  kind: 'MEDICAL',
  data: { name: 'Ada', conditions: [{ name: FACT }] },
  visibility: { conditions: 'PUBLIC' },
};

const countStatuses = (answers: readonly { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

t.test(
  'far above the limit a page is refused to its network only, and repeats are counted in the trail',
  async (t) => {
    const test = await startScans(t, { RATE_LIMIT_SCALE: '1' });
    const { call, code, database } = test;
    const id = await code(MEDICAL);
    freezeRateWindow(t);
    const answers = [];
    for (let index = 0; index < 200; index += 1)
      answers.push(await call('GET', `/s/${id}`, { headers: { 'user-agent': `Agent ${index}` } }));
    t.strictSame(countStatuses(answers), { 200: 120, 429: 80 });
    const refused = answers.at(-1);
    t.ok(Number(refused?.headers['retry-after']) > 0);
    t.notMatch(refused?.text, FACT);
    const elsewhere = await call('GET', `/s/${id}`, { remoteAddress: '192.0.2.7' });
    t.match(elsewhere, { status: 200, text: FACT }, 'another network');

    await recordRepeatedAccesses(database);
    await recordRepeatedAccesses(database);
    const entries = await findAuditEntries(test, 'MEDICAL_DATA_SCANNED');
    t.equal(entries.filter(({ changes }) => changes.length === 0).length, 11, 'ten and one elsewhere');
    // The job may have recorded some before.
    const repeats = entries.flatMap(({ changes }) => changes.map((change) => Number(change.split(':')[1])));
    t.equal(
      repeats.reduce((sum, each) => sum + each, 0),
      110,
    );
    t.ok(repeats.length <= 2);
    const own = await call('GET', '/api/audit/mine', { token: test.owner.accessToken });
    t.match(own.text, /Times: \d+, from one network\./);
  },
);

t.test('owner previews count against the limit of unrecorded pages', async (t) => {
  const { call, code, services } = await startScans(t, { RATE_LIMIT_SCALE: '1' });
  const id = await code(MEDICAL);
  const { pathname, search } = new URL(getOwnerPreviewUrl(services, id, 'en'));
  freezeRateWindow(t);
  const answers = [];
  for (let index = 0; index < 100; index += 1) answers.push(await call('GET', `${pathname}${search}`));
  t.strictSame(countStatuses(answers), { 200: 90, 429: 10 });
});

t.test('unknown codes are refused after sixty a minute, while known ones are shown', async (t) => {
  const { call, code } = await startScans(t, { RATE_LIMIT_SCALE: '1' });
  const id = await code({ data: { name: 'Rex' } });
  freezeRateWindow(t);
  const answers = [];
  for (let index = 0; index < 80; index += 1) answers.push(await call('GET', `/s/${generateAbsentId()}`));
  t.strictSame(countStatuses(answers), { 404: 60, 429: 20 });
  t.equal((await call('GET', `/s/${id}`)).status, 200);
});

t.test('the page of all pictures counts against the limit of unrecorded pages', async (t) => {
  const test = await startScans(t, { RATE_LIMIT_SCALE: '1' });
  const id = await test.code();
  const { add } = createGalleryClient(test, test.owner.accessToken, '/api/qrcodes');
  t.equal((await add(id, ONE_PIXEL_PNG)).status, 201);
  freezeRateWindow(t);
  const answers = [];
  for (let index = 0; index < 100; index += 1) answers.push(await test.call('GET', `/s/${id}/pictures`));
  t.strictSame(countStatuses(answers), { 200: 90, 429: 10 });
});
