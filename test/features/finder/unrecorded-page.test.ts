import { createVisitFormToken } from '../../../src/features/finder/form-token.ts';
import { freezeRateWindow } from '../../rate-window.ts';
import { t } from '../../tap.ts';
import { captureStatements, findAuditEntries } from '../identity/accounts/helper.ts';
import { startScans } from '../scans/helper.ts';

/** Visits a minute that are recorded. */
const MAX_RECORDED = 30;

async function startAboveLimit(t: Parameters<typeof startScans>[0]) {
  const test = await startScans(t, { RATE_LIMIT_SCALE: '1', URL_PAGE: 'never' });
  const token = test.owner.accessToken;
  const root = await test.createUser({ role: 'ADMIN' });
  return {
    ...test,
    show: (id: string, { query = '', headers = {} } = {}) =>
      test.call('GET', `/s/${id}${query}`, { headers }),
    async reachLimit(id: string) {
      for (let index = 0; index < MAX_RECORDED; index += 1) await test.call('GET', `/s/${id}`);
    },
    /** Submit a form whose page was opened long enough ago for a person. */
    async submit(id: string, form: string, fields: Record<string, string>) {
      const { text } = await test.call('GET', `/s/${id}`);
      const [scanId = ''] = (/name="visit" value="([^"]+)"/.exec(text)?.[1] ?? '').split('.');
      const now = Date.now;
      Date.now = () => now() - 10_000;
      const visit = createVisitFormToken(test.services.fieldCipher, id, scanId);
      Date.now = now;
      const answer = await test.call('POST', `/s/${id}/${form}?lang=en`, {
        body: String(new URLSearchParams({ visit, ...fields })),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer;
    },
    async change(id: string, body: object) {
      const { status, text } = await test.call('PATCH', `/api/qrcodes/${id}`, { token, body });
      if (status !== 200) throw new Error(text);
    },
    setStatus: (status: string) =>
      test.call('PATCH', `/api/admin/users/${test.owner.id}`, { token: root.accessToken, body: { status } }),
  };
}

t.test('a page above the limit is neither rendered nor decrypted again', async (t) => {
  const test = await startAboveLimit(t);
  const { call, code, database, show, reachLimit } = test;
  const [pet, link] = [
    await code(),
    await code({ kind: 'URL', title: 'Menu', data: { url: 'https://menu.example.com/' } }),
  ];
  freezeRateWindow(t);
  await reachLimit(pet);
  await reachLimit(link);
  const first = await show(pet);
  t.match(first, { status: 200, text: 'Rex' });
  t.equal((await show(link)).headers.location, 'https://menu.example.com/');
  // Content that cannot be decrypted any more.
  await database.client.$executeRaw`UPDATE qr_codes SET data = '\\x00' WHERE id IN (${pet}, ${link})`;
  const statements = await captureStatements(t, test, async () => {
    const repeated = await show(pet);
    t.equal(repeated.text, first.text);
    t.match(repeated.headers, { 'cache-control': 'no-store', 'content-language': 'en' });
    t.match(repeated.headers['content-security-policy'], "default-src 'none'");
  });
  // The code, its owner and its pictures; earlier scans may be announced meanwhile.
  const reads = statements.filter((text) => !text.includes('pg_notify'));
  t.ok(reads.length <= 3, reads.join('\n'));
  t.match(await show(link), { status: 302, headers: { location: 'https://menu.example.com/' } });
  t.equal((await call('HEAD', `/s/${pet}`)).status, 200);
});

t.test('what is no longer allowed is not shown, at once', async (t) => {
  const { call, code, database, owner, show, reachLimit, change, setStatus } = await startAboveLimit(t);
  const [id, other] = [await code({ visibility: { species: 'PUBLIC' } }), await code()];
  freezeRateWindow(t);
  await reachLimit(id);
  await reachLimit(other);
  const shows = async () => {
    const { status, text } = await show(id);
    return { status, name: text.includes('Rex'), species: text.includes('Dog') };
  };
  t.same(await shows(), { status: 200, name: true, species: true });
  await change(id, { visibility: { species: 'PRIVATE' } });
  t.same(await shows(), { status: 200, name: true, species: false });
  await change(id, { pin: '482915', visibility: { name: 'PIN', species: 'PIN' } });
  t.same(await shows(), { status: 200, name: false, species: false });
  await change(id, { pin: null, visibility: { name: 'PUBLIC' } });
  t.equal((await shows()).name, true);
  await change(id, { status: 'PAUSED' });
  t.same(await shows(), { status: 410, name: false, species: false });
  await change(id, { status: 'ACTIVE' });
  t.equal((await shows()).name, true);
  await change(id, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  await database.client.$executeRaw`UPDATE qr_codes SET expires_at = now() WHERE id = ${id}`;
  t.same(await shows(), { status: 410, name: false, species: false });
  await change(id, { expiresAt: null });
  t.equal((await shows()).name, true);
  await call('DELETE', `/api/qrcodes/${id}`, { token: owner.accessToken });
  t.same(await shows(), { status: 404, name: false, species: false });
  t.match(await show(other), { status: 200, text: 'Rex' });
  await setStatus('SUSPENDED');
  const hidden = await show(other);
  t.equal(hidden.status, 410);
  t.notMatch(hidden.text, 'Rex');
  await setStatus('ACTIVE');
  t.match(await show(other), { status: 200, text: 'Rex' });
});

t.test('codes, languages and finders do not get the pages of others', async (t) => {
  const { code, show, submit, reachLimit } = await startAboveLimit(t);
  const [rex, bella] = [await code(), await code({ data: { name: 'Bella', species: 'Cat' } })];
  freezeRateWindow(t);
  const sent = await submit(rex, 'message', { message: 'I found him' });
  const cookie = String(sent.headers['set-cookie']).split(';')[0] ?? '';
  await reachLimit(rex);
  await reachLimit(bella);
  const german = await show(rex, { query: '?lang=de' });
  const english = await show(rex, { headers: { 'accept-language': 'en' } });
  t.match(german.text, '<html lang="de"');
  t.match(english.text, '<html lang="en"');
  t.match(await show(rex, { headers: { 'accept-language': 'de' } }), { text: german.text });
  t.match((await show(bella)).text, 'Bella');
  const returning = await show(rex, { headers: { cookie } });
  t.match(returning.text, `/s/${rex}/c/`, 'the finder’s own conversation');
  t.equal((await show(rex)).text, english.text);
  t.notMatch(english.text, `/s/${rex}/c/`);
});

t.test('entries and pictures that were removed from a memorial are not shown', async (t) => {
  const { call, code, database, owner, show, submit, reachLimit } = await startAboveLimit(t);
  const id = await code({ kind: 'MEMORY_TAG', data: { name: 'Ada' } });
  const token = owner.accessToken;
  const tag = await call('POST', '/api/memory-tags', {
    token,
    body: { name: 'Ada', qrCodeId: id, story: 'She wrote programs.' },
  });
  t.equal(tag.status, 201, tag.text);
  freezeRateWindow(t);
  await submit(id, 'guest-book', { name: 'Charles', message: 'We miss you' });
  const entry = await database.client.guestBookEntry.findFirstOrThrow();
  const decide = (state: string) =>
    call('PATCH', `/api/memory-tags/${tag.body.id}/guest-book/${entry.id}`, {
      token,
      body: { status: state },
    });
  await reachLimit(id);
  t.notMatch((await show(id)).text, 'We miss you');
  t.equal((await decide('APPROVED')).status, 200);
  t.match((await show(id)).text, 'We miss you');
  t.equal((await decide('HIDDEN')).status, 200);
  t.notMatch((await show(id)).text, 'We miss you');
  t.match((await show(id)).text, 'She wrote programs.');
  await call('PUT', `/api/memory-tags/${tag.body.id}`, { token, body: { name: 'Ada', qrCodeId: id } });
  await call('PATCH', `/api/memory-tags/${tag.body.id}`, { token, body: { story: null } });
  t.notMatch((await show(id)).text, 'She wrote programs.');
});

t.test('every page of a medical code that is shown is counted in the trail', async (t) => {
  const test = await startAboveLimit(t);
  const { code, show, reachLimit, call } = test;
  const id = await code({ kind: 'MEDICAL', data: { name: 'Ada' }, visibility: { name: 'PUBLIC' } });
  freezeRateWindow(t);
  await reachLimit(id);
  for (let index = 0; index < 7; index += 1) t.match(await show(id), { status: 200, text: 'Ada' });
  t.equal((await call('HEAD', `/s/${id}`)).status, 200, 'shows nothing');
  const rows = await test.database.client.$queryRaw<{ count: number }[]>`
    SELECT count::int FROM repeated_accesses WHERE resource_id = ${id}`;
  t.same(rows, [{ count: MAX_RECORDED + 7 }]);
  t.equal((await findAuditEntries(test, 'MEDICAL_DATA_SCANNED')).length, 10);
});
