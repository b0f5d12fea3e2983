import { sendDueReports } from '../../../src/features/scans/reports/schedule/send-reports.job.ts';
import type { TestUser } from '../../helper.ts';
import { createCodeOfAccount, insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const test = await startScans(t);
const { call, createUser, database, owner, scan, services } = test;
const { client, pool } = database;

const responder = await createUser();
const accountId = await insertOrganization(test, {
  members: [
    { userId: owner.id, role: 'OWNER' },
    { userId: responder.id, role: 'RESPONDER' },
  ],
});
const qrCodeId = await createCodeOfAccount(test, { accountId, userId: owner.id });
await client.qrCode.update({ where: { id: qrCodeId }, data: { status: 'LOST' } });

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

async function findLink({ email }: TestUser, subject: RegExp, pattern: RegExp): Promise<string> {
  const mail = await test.getMailBySubject(email, subject);
  const link = pattern.exec(mail?.text ?? '')?.[0];
  if (link === undefined) throw new Error(`no link in ${mail?.text}`);
  return link;
}

/** Open a link, and follow it to the page that its cookie opens. */
async function open(path: string) {
  const first = await call('GET', path);
  if (first.status !== 303) return { page: first, headers: {} };
  const headers = { cookie: String(first.headers['set-cookie']).split(';')[0] ?? '' };
  return { page: await call('GET', String(first.headers.location), { headers }), headers };
}

/** Who did what, and for which account, in the audit trail. */
async function listActors(action: string) {
  const { rows } = await pool.query<{ actor: string; account: string | null }>(
    `SELECT actor.user_id AS actor, account.user_id AS account FROM audit_entries AS entry
     JOIN audit_actors AS actor ON actor.reference = actor_reference
     LEFT JOIN audit_actors AS account ON account.reference = account_reference
     WHERE action = $1 ORDER BY entry.created_at`,
    [action],
  );
  return rows;
}

const setMembership = (isMember: boolean) =>
  isMember
    ? pool.query("INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'RESPONDER')", [
        accountId,
        responder.id,
      ])
    : pool.query('DELETE FROM memberships WHERE account_id = $1 AND user_id = $2', [accountId, responder.id]);

t.test('the link of a notification does what the role of its user may', async (t) => {
  const visit = await scan({ qrCodeId });
  t.equal(visit.status, 201, visit.text);
  const [subject, pattern] = [/scanned/, /\/s\/o\/\S+/];
  const mine = await open(await findLink(owner, subject, pattern));
  t.equal(mine.page.status, 200, mine.page.text);
  t.match(mine.page.text, '/found?lang=en');

  const [, ownId] = /\/s\/o\/([0-9a-f]{24})/.exec(await findLink(owner, subject, pattern)) ?? [];
  const found = await call('POST', `/s/o/${ownId}/found`, {
    headers: { ...FORM, ...mine.headers },
    body: '',
  });
  t.equal(found.status, 303, found.text);
  t.same(await listActors('QRCODE_REPORTED_FOUND'), [{ actor: owner.id, account: accountId }]);
  await client.qrCode.update({ where: { id: qrCodeId }, data: { status: 'LOST' } });

  const path = await findLink(responder, subject, pattern);
  const theirs = await open(path);
  t.equal(theirs.page.status, 200, theirs.page.text);
  t.notMatch(theirs.page.text, '/found?lang=en', 'a responder changes no code');
  const [, notificationId] = /\/s\/o\/([0-9a-f]{24})/.exec(path) ?? [];
  const answer = await call('POST', `/s/o/${notificationId}/found`, {
    headers: { ...FORM, ...theirs.headers },
    body: '',
  });
  t.equal(answer.status, 404);
  t.equal((await client.qrCode.findUniqueOrThrow({ where: { id: qrCodeId } })).status, 'LOST');

  await setMembership(false);
  t.equal((await open(path)).page.status, 404, 'not for a removed member');
  await setMembership(true);
});

t.test('each member answers a finder by a link of their own', async (t) => {
  const visit = await scan({ qrCodeId }, { remoteAddress: '198.18.9.9' });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: visit.body.scan.id, message: 'Found.' },
    headers: createTokenHeader(visit),
  });
  t.equal(opened.status, 201, opened.text);
  const [subject, pattern] = [/message/i, /\/s\/[0-9a-f]{24}\/c\/\S+/];
  const [mine, theirs] = [
    await findLink(owner, subject, pattern),
    await findLink(responder, subject, pattern),
  ];
  t.not(mine, theirs, 'though both have the same access epoch');
  t.match((await open(theirs)).page.text, 'Found.');
  t.same((await listActors('CONVERSATION_READ')).at(-1), { actor: responder.id, account: accountId });
  await setMembership(false);
  t.not((await open(theirs)).page.status, 200, 'a removed member has none');
  t.match((await open(mine)).page.text, 'Found.');
  await setMembership(true);
});

t.test('a report on an organization goes to the members who want it', async (t) => {
  const nextSendAt = new Date();
  const key = { accountId, userId: responder.id };
  await client.reportSchedule.create({ data: { ...key, frequency: 'WEEKLY', hour: 8, nextSendAt } });
  await sendDueReports(services, nextSendAt);
  const path = await findLink(responder, /scans last week/, /\/api\/scans\/report\/\S+/);
  const page = await call('GET', path);
  t.equal(page.status, 200, page.text);
  const schedule = await client.reportSchedule.findUniqueOrThrow({ where: { accountId_userId: key } });
  t.ok(schedule.nextSendAt > nextSendAt);

  await setMembership(false);
  t.equal((await call('GET', path)).status, 404);
  const before = await client.outgoingMail.count();
  await sendDueReports(services, schedule.nextSendAt);
  t.equal(await client.outgoingMail.count(), before, 'nothing is sent to a removed member');
  await setMembership(true);
  await pool.query("UPDATE accounts SET status = 'SUSPENDED' WHERE id = $1", [accountId]);
  const later = await client.reportSchedule.findUniqueOrThrow({ where: { accountId_userId: key } });
  await sendDueReports(services, later.nextSendAt);
  t.equal(await client.outgoingMail.count(), before, 'nor on a suspended organization');
});
