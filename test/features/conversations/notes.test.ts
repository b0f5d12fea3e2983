import { createCodeOfAccount } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createOrganizationOf, type TestMember } from '../identity/organizations/helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const test = await startScans(t);
const { call, database, scan } = test;
const { client } = database;

/** A conversation about a code of an organization with these members, and calls of them for it. */
async function start() {
  const { id: accountId, members } = await createOrganizationOf(
    test,
    'OWNER',
    'MANAGER',
    'RESPONDER',
    'VIEWER',
  );
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId: members.OWNER.id });
  const made = await scan({ qrCodeId });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message: 'Hello' },
    headers: createTokenHeader(made),
  });
  t.equal(opened.status, 201, opened.text);
  await client.$executeRaw`DELETE FROM attempt_budgets`;
  const notes = `/api/conversations/${opened.body.id}/notes`;
  const send = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    { token }: TestMember,
    suffix = '',
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ) =>
    call(method, `${notes}${suffix}`, {
      token,
      headers: { 'account-id': accountId, ...headers },
      ...(body && { body }),
    });
  const add = (member: TestMember, text: string) => send('POST', member, '', { body: { text } });
  return { accountId, members, opened, qrCodeId, notes, send, add };
}

t.test('members write notes that the finder never sees', async (t) => {
  const { members, opened, send, add } = await start();
  const { OWNER: owner, RESPONDER: responder, VIEWER: viewer } = members;
  const trail = await captureAuditEntries(test, async () => {
    const added = await add(responder, ' He waits at the gate. ');
    t.equal(added.status, 201, added.text);
    t.match(added.body, {
      text: 'He waits at the gate.',
      authorId: responder.id,
      authorName: 'Ada Lovelace',
      version: 1,
    });
  });
  t.match(trail, [{ action: 'CONVERSATION_NOTE_ADDED', resourceId: opened.body.id }]);
  await add(owner, 'I am on my way.');
  for (const reader of [owner, responder, viewer])
    t.match((await send('GET', reader)).body.data, [
      { text: 'I am on my way.' },
      { text: 'He waits at the gate.' },
    ]);
  t.equal((await add(viewer, 'Me, too.')).status, 403);
  t.ok(isProblem(await add(owner, ' \u200b '), 400, 'VALIDATION_FAILED'));
  t.ok(isProblem(await add(owner, 'x'.repeat(1_001)), 400, 'VALIDATION_FAILED'));
  const headers = { 'x-conversation-token': opened.body.conversationToken };
  const { id, url } = opened.body;
  const messages = await call('GET', `/api/conversations/public/${id}/messages`, { headers });
  t.equal(messages.body.data.length, 1);
  const begun = await call('GET', new URL(url).pathname);
  const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
  const page = await call('GET', String(begun.headers.location), { headers: { cookie } });
  t.equal(page.status, 200);
  for (const { text } of [messages, page]) t.notMatch(text, /gate|on my way/);
  t.ok(isProblem(await call('GET', `/api/conversations/${id}/notes`, { headers }), 401, 'UNAUTHENTICATED'));
  const [row] = await client.conversationNote.findMany({ where: { conversationId: id } });
  t.notMatch(Buffer.from(row?.content ?? []).toString('latin1'), 'gate', 'encrypted');
});

t.test('authors change their notes, and owners and managers delete those of others', async (t) => {
  const { members, send, add } = await start();
  const { OWNER: owner, MANAGER: manager, RESPONDER: responder } = members;
  const { id } = (await add(responder, 'At five.')).body;
  const change = (member: TestMember, ifMatch: string) =>
    send('PATCH', member, `/${id}`, { body: { text: 'At six.' }, headers: { 'if-match': ifMatch } });
  t.ok(isProblem(await change(owner, '"1"'), 403, 'FORBIDDEN'));
  const changed = await change(responder, '"1"');
  t.match(changed.body, { text: 'At six.', version: 2 });
  t.equal(changed.headers.etag, '"2"');
  t.match((await change(responder, '"2"')).body, { version: 2 }, 'the same text changes nothing');
  t.ok(isProblem(await change(responder, '"1"'), 412, 'PRECONDITION_FAILED'));
  t.match((await send('DELETE', manager, `/${id}`)).body, { id, deleted: true });
  t.ok(isProblem(await send('DELETE', manager, `/${id}`), 404, 'NOT_FOUND'));
  const ofOwner = (await add(owner, 'Mine.')).body.id;
  t.ok(isProblem(await send('DELETE', responder, `/${ofOwner}`), 403, 'FORBIDDEN'));
  const own = (await add(responder, 'Wrong.')).body.id;
  t.equal((await send('DELETE', responder, `/${own}`)).status, 200);
});

t.test('a note is found in its conversation alone', async (t) => {
  const [one, other] = [await start(), await start()];
  const { id } = (await one.add(one.members.OWNER, 'Here.')).body;
  t.ok(isProblem(await other.send('DELETE', other.members.OWNER, `/${id}`), 404, 'NOT_FOUND'));
  const crossed = await call('GET', one.notes, {
    token: other.members.OWNER.token,
    headers: { 'account-id': other.accountId },
  });
  t.ok(isProblem(crossed, 404, 'NOT_FOUND'));
});

t.test('the notes of an erased user stay, without their name', async (t) => {
  const { members, send, add } = await start();
  const { OWNER: owner, RESPONDER: responder } = members;
  await add(responder, 'At the gate.');
  const erased = await call('DELETE', '/api/auth/account', { token: responder.token, body: {} });
  t.equal(erased.status, 200, erased.text);
  t.match((await send('GET', owner)).body.data, [{ text: 'At the gate.', authorId: null, authorName: null }]);
});

t.test('notes have a limit an hour', async (t) => {
  const { members, add } = await start();
  const statuses: number[] = [];
  for (let count = 0; count <= 60; count += 1)
    statuses.push((await add(members.OWNER, `Note ${count}.`)).status);
  t.same([...new Set(statuses.slice(0, 60))], [201]);
  t.equal(statuses.at(-1), 429);
});
