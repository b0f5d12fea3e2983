import { MAX_OPEN_REPORTS_PER_CODE } from '../../../src/features/moderation/code-reports.use-case.ts';
import { createCleanUpJob } from '../../../src/platform/clean-up.job.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import type { TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { startModeration } from './helper.ts';

const LIST = '/api/admin/qrcode-reports';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const reportAs =
  ({ call }: Pick<TestApp, 'call'>) =>
  (id: string, remoteAddress: string, body: object = { category: 'FRAUD' }) =>
    call('POST', `/api/qrcodes/${id}/reports`, { body, remoteAddress });

t.test('strangers report a code, grouped by network, and the owner learns nothing', async (t) => {
  const test = await startModeration(t);
  const { call, code, as, owner, takeDown, database } = test;
  const report = reportAs(test);
  const id = await code();
  t.match(await report(id, '198.51.100.7', { category: 'FRAUD', note: ' canary note ' }), {
    status: 202,
    body: { done: true },
  });
  t.equal((await report(id, '198.51.100.7', { category: 'OTHER' })).status, 202);
  t.equal((await report(id, '2001:db8:1:2::1', { category: 'PRIVACY', note: null })).status, 202);
  t.equal((await report(id, '2001:db8:1:2:ffff::9')).status, 202, 'the same /64');
  const rows = await database.client.qrCodeReport.findMany({ orderBy: { category: 'asc' } });
  t.same(
    rows.map(({ category, count }) => [category, count]),
    [
      ['FRAUD', 2],
      ['PRIVACY', 2],
    ],
  );
  t.notMatch(Buffer.from(rows[0]?.note ?? '').toString('latin1'), 'canary', 'encrypted');
  t.equal((await call('GET', `/s/${id}`)).status, 200, 'the code stays open');
  t.notMatch((await call('GET', '/api/audit/mine?limit=100', as.owner)).text, 'REPORT');
  t.equal(await database.client.notification.count({ where: { userId: owner.id } }), 1, 'only of the scan');

  for (const body of [{}, { category: 'RUDE' }, { category: 'FRAUD', note: 'x'.repeat(501) }])
    t.equal((await report(id, '203.0.113.9', body)).status, 400);
  t.equal((await report('0'.repeat(24), '203.0.113.9')).status, 404);

  const entries = await captureAuditEntries(test, async () => {
    const list = await call('GET', LIST, as.root);
    t.match(list.body, {
      data: [
        { qrCodeId: id, accountId: owner.id, reports: 2, count: 4, byCategory: { FRAUD: 1, PRIVACY: 1 } },
      ],
      pagination: { total: 1 },
    });
    t.notMatch(list.text, 'canary');
    const read = await call('GET', `/api/admin/qrcodes/${id}/reports`, as.root);
    t.match(read.body.data, [{ note: null }, { note: 'canary note', count: 2, status: 'OPEN' }]);
    t.notMatch(read.text, /198\.51|2001:db8|network/);
  });
  t.match(entries, [{ action: 'QRCODE_REPORTS_LISTED' }, { action: 'QRCODE_REPORTS_READ' }]);
  t.equal((await call('GET', '/api/admin/analytics', as.root)).body.qrCodeReports.open, 1);

  const dismiss = (by = as.root) => call('POST', `/api/admin/qrcodes/${id}/reports/dismiss`, by);
  const both = await Promise.all([dismiss(), dismiss(as.second)]);
  t.same(both.map(({ status }) => status).sort(), [200, 409], 'of two administrators at once one decides');
  t.ok(both.some((answer) => answer.body.code === 'NO_OPEN_REPORTS'));
  t.equal((await call('GET', LIST, as.root)).body.pagination.total, 0);
  t.equal((await call('GET', `${LIST}?status=DECIDED`, as.root)).body.data[0].reports, 2);

  t.equal((await report(id, '198.51.100.7')).status, 202, 'again after the decision');
  await takeDown(id);
  const decided = await call('GET', `/api/admin/qrcodes/${id}/reports`, as.root);
  t.equal(decided.body.data[0].decision, 'TAKEN_DOWN');
  t.ok(isProblem(await report(id, '198.51.100.8'), 410, 'CODE_UNAVAILABLE'));
});

t.test('reports are limited by network and by code, and no number of them closes a code', async (t) => {
  const test = await startModeration(t);
  const { call, code, database } = test;
  const report = reportAs(test);
  const id = await code();
  for (let number = 0; number < MAX_OPEN_REPORTS_PER_CODE + 20; number++)
    t.equal((await report(id, `198.51.${number}.7`)).status, 202);
  t.equal(await database.client.qrCodeReport.count(), MAX_OPEN_REPORTS_PER_CODE);
  const { _sum: sum } = await database.client.qrCodeReport.aggregate({ _sum: { count: true } });
  t.equal(sum.count, MAX_OPEN_REPORTS_PER_CODE + 20, 'the others are counted');
  t.equal((await call('GET', `/s/${id}`)).status, 200);

  const others = await Promise.all(Array.from({ length: 11 }, () => code()));
  const answers = [];
  for (const [index, other] of others.entries())
    answers.push(await report(other, `2001:db8:1:2::${index + 1}`));
  t.same(
    answers.map(({ status }) => status),
    [...Array(10).fill(202), 429],
  );
  t.ok(Number(answers.at(-1)?.headers['retry-after']) > 0);
  t.equal((await report(id, '2001:db8:9:2::1')).status, 202, 'another network is not locked out');
});

t.test('a page without script reports a code, whatever its kind and status', async (t) => {
  const test = await startModeration(t, { URL_PAGE: 'never' });
  const { call, code, as, takeDown, database } = test;
  const url = await code({ kind: 'URL', title: 'Menu', data: { url: 'https://menu.example.com/' } });
  const [id, paused] = [await code(), await code()];
  await call('PATCH', `/api/qrcodes/${paused}`, { ...as.owner, body: { status: 'PAUSED' } });
  t.match((await call('GET', `/s/${id}`)).text, `href="/s/${id}/report?lang=en" rel="nofollow"`);
  for (const one of [id, url, paused]) {
    const page = await call('GET', `/s/${one}/report`);
    t.equal(page.status, 200);
    t.match(page.text, '<h1>Report this page</h1>');
    t.notMatch(page.text, /Rex|menu\.example/);
  }
  for (const { tag } of LOCALES.values())
    t.equal((await call('GET', `/s/${id}/report?lang=${tag}`)).status, 200, tag);
  const getToken = async (of: string) =>
    /name="visit" value="([^"]*)"/.exec((await call('GET', `/s/${of}/report`)).text)?.[1] ?? '';
  const post = (of: string, fields: Record<string, string>, headers = {}) =>
    call('POST', `/s/${of}/report`, {
      body: String(new URLSearchParams(fields)),
      headers: { ...FORM, ...headers },
    });
  const visit = await getToken(id);
  const fields = { visit, category: 'HARASSMENT', note: 'Look <here>' };
  const early = await post(id, fields);
  t.equal(early.status, 403, 'as fast as a bot');
  t.match(early.text, /Look &(?:lt|#60);here/, 'what was typed is still there');
  t.equal((await post(id, { ...fields, visit: '' })).status, 403);
  t.equal(
    (await post(id, { ...fields, visit: await getToken(url) })).status,
    403,
    'the token of another code',
  );
  t.equal((await post(id, { ...fields, nothing: 'spam' })).status, 400, 'a field that only bots fill in');
  t.equal((await post(id, fields, { 'sec-fetch-site': 'cross-site' })).status, 403);
  t.equal((await post(id, { ...fields, note: 'x'.repeat(20_000) })).status, 413);
  t.equal(await database.client.qrCodeReport.count(), 0);

  const foreign = await getToken(url);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  t.equal((await post(id, { ...fields, visit: foreign })).status, 403, 'however old it is');
  const sent = await post(id, { ...fields, note: 'x'.repeat(900) });
  t.equal(sent.status, 200, sent.text);
  t.match(sent.text, 'Thanks for letting us know');
  t.match(sent.text, `href="/s/${id}?lang=en"`, 'the way back');
  const read = await call('GET', `/api/admin/qrcodes/${id}/reports`, as.root);
  t.match(read.body.data, [{ category: 'HARASSMENT', note: 'x'.repeat(500) }]);

  await takeDown(id);
  t.equal((await call('GET', `/s/${id}/report`)).status, 410);
  t.equal((await post(id, fields)).status, 410);
  t.equal((await call('GET', `/s/${'0'.repeat(24)}/report`)).status, 404);
});

t.test('the audit trail does not show who reported', async (t) => {
  const test = await startModeration(t);
  const { call, code, as, second, database } = test;
  const [byApi, byForm] = [await code(), await code()];
  const reporter = { remoteAddress: '198.51.100.7', token: second.accessToken };
  const headers = { 'user-agent': 'canary agent' };
  const form = await call('GET', `/s/${byForm}/report`);
  const visit = /name="visit" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const origins = await database.client.auditOrigin.count();
  const api = await call('POST', `/api/qrcodes/${byApi}/reports`, {
    ...reporter,
    headers,
    body: { category: 'FRAUD' },
  });
  t.equal(api.status, 202);
  const page = await call('POST', `/s/${byForm}/report`, {
    ...reporter,
    headers: { ...headers, ...FORM },
    body: String(new URLSearchParams({ visit, category: 'FRAUD' })),
  });
  t.equal(page.status, 200);
  t.equal(await database.client.auditOrigin.count(), origins, 'no address and no user agent');
  const unnamed = { actorReference: null, subjectReference: null, ipHash: null, userAgentHash: null };
  const entries = await database.client.auditEntry.findMany({ where: { action: 'QRCODE_REPORTED' } });
  t.match(entries, [unnamed, unnamed]);
  const trail = await call('GET', '/api/admin/audit-logs?action=QRCODE_REPORTED', as.root);
  t.equal(trail.body.data.length, 2);
  t.notMatch(trail.text, /198\.51\.100|canary/);
  t.notMatch(trail.text, second.id);
});

t.test('reports are deleted 90 days after the decision, undecided ones after 180 days', async (t) => {
  const test = await startModeration(t);
  const { code, database, services } = test;
  const report = reportAs(test);
  const id = await code();
  const days = [
    { created: 400, decided: 91 },
    { created: 400, decided: 89 },
    { created: 181, decided: null },
    { created: 179, decided: null },
  ];
  const toDate = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000);
  const ids: string[] = [];
  for (const [index, { created, decided }] of days.entries()) {
    await report(id, `198.51.100.${index + 1}`);
    const { id: row } = await database.client.qrCodeReport.findFirstOrThrow({
      where: { id: { notIn: ids } },
    });
    ids.push(row);
    const decision = decided === null ? {} : { decision: 'DISMISSED', decidedAt: toDate(decided) };
    await database.client.qrCodeReport.update({
      where: { id: row },
      data: { createdAt: toDate(created), ...decision },
    });
  }
  await createCleanUpJob(services)({});
  const left = await database.client.qrCodeReport.findMany();
  t.same(left.map((row) => row.id).sort(), [ids[1], ids[3]].sort());
});
