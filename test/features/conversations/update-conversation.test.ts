import { getUserStreamName } from '../../../src/platform/realtime/streams.ts';
import { generateAbsentId } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const test = await startScans(t);
const { call, database, owner, scan } = test;
const { client } = database;
const asOwner = { token: owner.accessToken };

/** Start a conversation about a new code. */
async function start() {
  const made = await scan({ qrCodeId: await test.code() });
  const { body, text, status } = await call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message: 'Hello' },
    headers: createTokenHeader(made),
  });
  t.equal(status, 201, text);
  await client.$executeRaw`DELETE FROM attempt_budgets`;
  const headers = { 'x-conversation-token': body.conversationToken };
  return { id: body.id as string, path: `/api/conversations/${body.id}`, headers };
}

const change = (path: string, body: object, ifMatch?: string) =>
  call('PATCH', path, { ...asOwner, body, headers: ifMatch ? { 'if-match': ifMatch } : {} });

const list = async (query: string) => {
  const { body } = await call('GET', `/api/conversations?limit=100&${query}`, asOwner);
  return body.data.map(({ id }: { id: string }) => id) as string[];
};

t.test('the owner marks a conversation as done, and a message of the finder opens it again', async (t) => {
  const { id, path, headers } = await start();
  const read = await call('GET', path, asOwner);
  t.match(read.body, { done: false, version: 1 });
  t.equal(read.headers.etag, '"1"');
  const trail = await captureAuditEntries(test, async () => {
    const done = await change(path, { done: true }, '"1"');
    t.equal(done.status, 200, done.text);
    t.match(done.body, { id, done: true, status: 'OPEN', version: 2 });
    t.equal(done.headers.etag, '"2"');
    t.match((await change(path, { done: true })).body, { version: 2 }, 'the same again changes nothing');
    t.match((await change(path, {})).body, { done: true, version: 2 });
  });
  t.match(trail, [{ action: 'CONVERSATION_UPDATED', resourceId: id, changes: ['done'] }]);
  t.equal(trail.length, 1);
  t.ok(isProblem(await change(path, { done: false }, '"1"'), 412, 'PRECONDITION_FAILED'));
  t.ok((await list('done=true')).includes(id));
  t.notOk((await list('done=false')).includes(id));

  const answer = await call('POST', `${path}/messages`, { ...asOwner, body: { message: 'Thanks' } });
  t.equal(answer.status, 201);
  t.match((await call('GET', path, asOwner)).body, { done: true }, 'an answer leaves it done');
  const listed = await call('GET', `/api/conversations/public/${id}/messages`, { headers });
  t.notMatch(listed.text, 'done', 'the finder does not see it');
  await call('POST', `/api/conversations/public/${id}/messages`, { headers, body: { message: 'One more' } });
  t.match((await call('GET', path, asOwner)).body, { done: false, version: 3 });
  t.ok((await list('done=false')).includes(id));
  await change(path, { done: true });
  t.match((await change(path, { done: false })).body, { done: false, version: 5 });
});

t.test('a conversation that its owner ended is done until it is reopened', async (t) => {
  const { id, path } = await start();
  t.match((await call('POST', `${path}/end`, asOwner)).body, { done: true, version: 2 });
  t.ok((await list('done=true')).includes(id));
  t.ok(isProblem(await change(path, { done: false }), 409, 'CONVERSATION_ENDED'));
  t.match((await call('POST', `${path}/reopen`, asOwner)).body, { done: false, version: 3 });
});

t.test('a conversation that the finder ended is open until somebody has looked at it', async (t) => {
  const { id, path, headers } = await start();
  await call('POST', `/api/conversations/public/${id}/end`, { headers });
  t.match((await call('GET', path, asOwner)).body, { status: 'ENDED', done: false });
  t.ok((await list('done=false')).includes(id));
  t.match((await change(path, { done: true })).body, { status: 'ENDED', done: true });
});

t.test('only the owner marks a conversation as done', async (t) => {
  const { path } = await start();
  const { accessToken: token } = await test.createUser();
  t.ok(isProblem(await call('PATCH', path, { token, body: { done: true } }), 404, 'NOT_FOUND'));
  const absent = `/api/conversations/${generateAbsentId()}`;
  t.ok(isProblem(await change(absent, { done: true }), 404, 'NOT_FOUND'));
  t.ok(isProblem(await change(path, { done: 'soon' }), 400, 'VALIDATION_FAILED'));
});

t.test('the owner’s sockets get an event, those of the finder do not', async (t) => {
  const { id, path } = await start();
  await change(path, { done: true });
  const { rows } = await database.pool.query<{ stream: string }>(
    `SELECT stream FROM realtime_events WHERE event = 'conversation.updated' AND data->>'conversationId' = $1`,
    [id],
  );
  t.match(rows, [{ stream: getUserStreamName(owner.id) }]);
  t.equal(rows.length, 1);
});
