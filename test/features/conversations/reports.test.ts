import {
  demoteAdministrator,
  promoteUserToAdministrator,
} from '../../../src/features/administration/change-administrators.use-case.ts';
import { findConversationsByIds } from '../../../src/features/conversations/personal-data.repository.ts';
import { toExportedConversation } from '../../../src/features/conversations/personal-data.ts';
import { createCleanUpJob } from '../../../src/platform/clean-up.job.ts';
import { generateAbsentId, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const LIST = '/api/admin/conversation-reports';

/** Start a service with an administrator, and helpers to start conversations. */
async function open(t: import('tap').Test) {
  const test = await startScans(t);
  const { call, code, scan, owner, createUser } = test;
  const root = await createUser({ email: 'root@example.org', role: 'ADMIN' });
  const as = { owner: { token: owner.accessToken }, root: { token: root.accessToken } };
  const qrCodeId = await code();
  let finders = 0;
  /** Each by another finder, because one can start five an hour. */
  const talk = async () => {
    finders += 1;
    const remoteAddress = `198.51.${finders}.7`;
    const made = await scan({ qrCodeId });
    const body = { scanId: made.body.scan.id, message: 'canary words', name: 'Eva' };
    const opened = await call('POST', '/api/conversations/public', {
      ...{ body, remoteAddress },
      headers: createTokenHeader(made),
    });
    t.equal(opened.status, 201, opened.text);
    const finder = { headers: { 'x-conversation-token': String(opened.body.conversationToken) } };
    return { id: String(opened.body.id), finder };
  };
  const report = (id: string, side: 'OWNER' | { headers: Record<string, string> }, body: object) =>
    side === 'OWNER'
      ? call('POST', `/api/conversations/${id}/report`, { ...as.owner, body })
      : call('POST', `/api/conversations/public/${id}/report`, { ...side, body });
  const decide = (id: string, body: object) => call('POST', `${LIST}/${id}/decision`, { ...as.root, body });
  const getConversation = (id: string) => call('GET', `/api/conversations/${id}`, as.owner);
  return { test, as, qrCodeId, root, talk, report, decide, getConversation };
}

t.test('a client of 2026-11-27 reports by a reason, and reads it', async (t) => {
  const { test, as, talk, report } = await open(t);
  const { call } = test;
  const headers = { 'api-version': '2026-11-27' };
  const { id, finder } = await talk();
  const body = { reason: 'SPAM', note: 'An advertisement.' };
  const reported = await call('POST', `/api/conversations/${id}/report`, { ...as.owner, headers, body });
  t.match(reported, { status: 201, body: { reason: 'SPAM', category: undefined } });
  const byFinder = { headers: { ...headers, ...finder.headers }, body: { reason: 'FRAUD' } };
  t.match(await call('POST', `/api/conversations/public/${id}/report`, byFinder), {
    body: { reason: 'FRAUD' },
  });
  t.equal((await report(id, 'OWNER', body)).status, 400, 'the newest version has no reason');
  for (const [more, field] of [
    [{ headers }, 'reason'],
    [{}, 'category'],
  ] as const) {
    const list = (await call('GET', LIST, { ...as.root, ...more })).body.data;
    t.same(list.map((item: Record<string, unknown>) => item[field]).toSorted(), ['FRAUD', 'SPAM']);
    const details = await call('GET', `${LIST}/${reported.body.id}`, { ...as.root, ...more });
    t.equal(details.body[field], 'SPAM');
  }
  const decided = await call('POST', `${LIST}/${reported.body.id}/decision`, {
    ...as.root,
    headers,
    body: { decision: 'DISMISSED' },
  });
  t.match(decided, { status: 200, body: { reason: 'SPAM' } });
});

t.test(
  'lets a side report a conversation once, and an administrator decide, without notifying the other side',
  async (t) => {
    const { test, as, qrCodeId, root, talk, report, decide, getConversation } = await open(t);
    const { call, owner, database } = test;
    const { id, finder } = await talk();
    t.equal((await report(id, 'OWNER', { category: 'RUDE' })).status, 400);
    t.equal((await report(id, 'OWNER', { category: 'SPAM', note: 'x'.repeat(501) })).status, 400);
    t.ok(
      isProblem(await report(id, { headers: {} }, { category: 'SPAM' }), 403, 'CONVERSATION_TOKEN_INVALID'),
    );
    t.equal((await report(generateAbsentId(), 'OWNER', { category: 'SPAM' })).status, 404);
    const body = { category: 'SPAM' };
    const foreign = await call('POST', `/api/conversations/${id}/report`, { ...as.root, body });
    t.equal(foreign.status, 404, 'somebody else is not the owner');

    const both = await Promise.all(
      Array.from({ length: 10 }, () => report(id, finder, { category: 'THREAT', note: ' canary note ' })),
    );
    t.same(both.map(({ status }) => status).sort(), [...Array(9).fill(200), 201], 'once, of ten at once');
    const [{ body: made }] = both as [TestResponse];
    t.match(made, { conversationId: id, category: 'THREAT', status: 'OPEN' });
    t.equal((await getConversation(id)).body.report, null, 'the owner sees nothing of it');
    t.notMatch((await call('GET', '/api/audit/mine?limit=100', as.owner)).text, 'REPORTED');
    const own = await report(id, 'OWNER', { category: 'OTHER' });
    t.equal(own.status, 201, 'each side once');
    t.equal((await getConversation(id)).body.report, 'OPEN');
    const [exported] = await findConversationsByIds(database.client, owner.id, [id]);
    const context = {
      fieldCipher: test.services.fieldCipher,
      publicBaseUrl: '',
      onIntegrityFailure: () => {},
    };
    const { report: archived } = toExportedConversation(context, exported as NonNullable<typeof exported>);
    t.match(archived, { category: 'OTHER', note: null, isDecided: false }, 'the archive has their own alone');
    const rows = await database.client.conversationReport.findMany();
    t.notMatch(rows.map(({ note }) => Buffer.from(note ?? '').toString('latin1')).join(), 'canary');

    const listed = await captureAuditEntries(test, async () => {
      const list = await call('GET', `${LIST}?status=OPEN`, as.root);
      t.equal(list.body.pagination.total, 2);
      t.notMatch(list.text, /canary|Eva/);
      const one = list.body.data.find((row: { id: string }) => row.id === made.id);
      t.match(one, { accountId: owner.id, qrCodeId, reportedBy: 'FINDER', decision: null });
    });
    t.match(listed, [{ action: 'CONVERSATION_REPORTS_LISTED', severity: 'HIGH' }]);
    t.equal((await call('GET', '/api/admin/analytics', as.root)).body.conversationReports.open, 2);
    const read = await captureAuditEntries(test, async () => {
      const { body, text } = await call('GET', `${LIST}/${made.id}`, as.root);
      t.match(body, {
        note: 'canary note',
        decisionNote: null,
        conversation: { status: 'OPEN', endedBy: null },
      });
      t.match(body.messages, [{ from: 'FINDER', message: 'canary words', readAt: null }]);
      t.notMatch(text, new RegExp(`${owner.email}|Eva|198\\.51`), 'no contact of either');
    });
    t.match(read, [{ action: 'CONVERSATION_REPORT_READ', severity: 'HIGH', resourceId: made.id }]);
    t.equal((await call('GET', `${LIST}/${generateAbsentId()}`, as.root)).status, 404);

    const decided = await captureAuditEntries(test, async () => {
      t.match((await decide(made.id, { decision: 'CONVERSATION_CLOSED', note: 'canary ruling' })).body, {
        ...{ status: 'DECIDED', decision: 'CONVERSATION_CLOSED' },
        decidedAt: /Z$/,
      });
    });
    t.match(decided, [
      { action: 'CONVERSATION_REPORT_DECIDED', severity: 'HIGH', resourceId: made.id },
      { action: 'CONVERSATION_ENDED', resourceId: id },
    ]);
    t.ok(isProblem(await decide(made.id, { decision: 'DISMISSED' }), 409, 'REPORT_ALREADY_DECIDED'));
    t.match((await getConversation(id)).body, {
      status: 'ENDED',
      endedBy: 'ADMINISTRATION',
      blocked: false,
      report: 'OPEN',
    });
    t.match((await report(id, finder, { category: 'SPAM' })).body, {
      id: made.id,
      category: 'THREAT',
      status: 'DECIDED',
    });
    t.match((await decide(own.body.id, { decision: 'DISMISSED' })).body, { decision: 'DISMISSED' });
    t.equal((await getConversation(id)).body.report, 'DECIDED');
    t.equal((await call('GET', `${LIST}?status=OPEN`, as.root)).body.pagination.total, 0);
    t.equal((await call('GET', `${LIST}/${made.id}`, as.root)).body.decisionNote, 'canary ruling');
    await promoteUserToAdministrator(database, owner.email);
    await demoteAdministrator(database, root.email);
    t.equal((await call('GET', LIST, as.root)).status, 401, 'an administrator of yesterday');
  },
);

t.test('prevents a finder blocked by a decision from starting another conversation', async (t) => {
  const { test, talk, report, decide, getConversation } = await open(t);
  const { id } = await talk();
  const { body } = await report(id, 'OWNER', { category: 'HARASSMENT' });
  const trail = await captureAuditEntries(test, () => decide(body.id, { decision: 'FINDER_BLOCKED' }));
  const actions = ['CONVERSATION_REPORT_DECIDED', 'CONVERSATION_ENDED', 'FINDER_BLOCKED'];
  t.same(trail.map(({ action }) => action).sort(), actions.sort());
  t.match((await getConversation(id)).body, { status: 'ENDED', endedBy: 'ADMINISTRATION', blocked: true });
  t.equal(await test.database.client.blockedFinder.count(), 1);
  const other = await talk();
  const created = (await report(other.id, other.finder, { category: 'FRAUD' })).body;
  t.match(await decide(created.id, { decision: 'FINDER_BLOCKED' }), {
    status: 400,
    body: { errors: [{ field: 'decision', code: 'NOT_ALLOWED' }] },
  });
  t.match(
    (await getConversation(other.id)).body,
    { status: 'OPEN', blocked: false },
    'a user who reports is not blocked',
  );
  const racing = (await report(other.id, other.finder, { category: 'FRAUD' })).body;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => decide(racing.id, { decision: 'CONVERSATION_CLOSED' })),
  );
  t.same(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)], 'decided once');
});

t.test('keeps a reported conversation until the decision', async (t) => {
  const { test, as, talk, report, decide } = await open(t);
  const { call, database } = test;
  const [reported, dismissed, quiet] = [await talk(), await talk(), await talk()];
  const waits = (await report(reported.id, reported.finder, { category: 'FRAUD' })).body;
  const done = (await report(dismissed.id, dismissed.finder, { category: 'SPAM' })).body;
  await decide(done.id, { decision: 'DISMISSED' });
  await database.client.conversation.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });
  await createCleanUpJob(test.services)({});
  const left = async () => (await database.client.conversation.findMany()).map(({ id }) => id);
  t.same(await left(), [reported.id]);
  t.notOk((await left()).includes(quiet.id));
  t.equal(
    (await call('GET', `/api/conversations/${reported.id}`, as.owner)).status,
    404,
    'for its sides it is gone',
  );
  t.match((await call('GET', `${LIST}/${waits.id}`, as.root)).body.messages, [{ message: 'canary words' }]);
  const old = await talk();
  const forgotten = (await report(old.id, old.finder, { category: 'SPAM' })).body;
  const longAgo = new Date(Date.now() - 181 * 86_400_000);
  await database.client.conversationReport.update({
    where: { id: forgotten.id },
    data: { createdAt: longAgo },
  });
  await createCleanUpJob(test.services)({});
  t.same((await left()).sort(), [reported.id, old.id].sort(), 'not before its own time is over');
  await database.client.conversation.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });
  await createCleanUpJob(test.services)({});
  t.same(await left(), [reported.id], 'a report that nobody decides on keeps it 180 days');
  await decide(waits.id, { decision: 'CONVERSATION_CLOSED' });
  await createCleanUpJob(test.services)({});
  t.same(await left(), []);
  t.equal(await database.client.conversationReport.count(), 0);
});
