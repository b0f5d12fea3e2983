import { insertAuditEntry } from '../../../src/platform/audit.repository.ts';
import { startTestApp } from '../../helper.ts';
import { createCodeOfAccount } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createOrganizationOf, createUser } from '../identity/organizations/helper.ts';
import { runAsSchemaOwner, sealAllEntries } from './helper.ts';

const test = await startTestApp(t);
const { call, database } = test;

const BASE = { action: 'QRCODE_UPDATED', outcome: 'SUCCESS', operation: 'test' } as const;

async function createShelter() {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR', 'MANAGER');
  const { OWNER, EDITOR, MANAGER } = members;
  const codeId = await createCodeOfAccount(test, { accountId: id, userId: OWNER.id });
  const add = (requestId: string, entry: object) =>
    insertAuditEntry(database.client, { ...BASE, requestId, ...entry });
  const stranger = await createUser(test);
  const origin = { ip: '192.0.2.0', userAgent: 'test' };
  await add('by-owner', { actorId: OWNER.id, accountId: id, resourceId: codeId });
  await add('by-editor', {
    actorId: EDITOR.id,
    accountId: id,
    resourceId: codeId,
    changes: ['title'],
    origin,
  });
  await add('by-stranger', { actorId: stranger.id, resourceId: codeId, outcome: 'DENIED', origin });
  await add('by-service', { resourceType: 'ORGANIZATION', resourceId: id });
  await add('of-editor-alone', { actorId: EDITOR.id, accountId: EDITOR.id });
  const read = (query = '', token = OWNER.token) =>
    call('GET', `${path}/audit-logs?limit=100${query}`, { token });
  return { id, path, OWNER, EDITOR, MANAGER, codeId, stranger, read };
}

t.test('an owner reads what members did for an organization and others with its data', async (t) => {
  const { id, path, OWNER, EDITOR, MANAGER, codeId, stranger, read } = await createShelter();
  const { status, body, text } = await read();
  t.equal(status, 200, text);
  const entries = body.data.filter(({ action }: { action: string }) => action === 'QRCODE_UPDATED');
  t.match(entries, [
    { who: 'SERVICE', actorId: null, actorName: null },
    { who: 'SOMEBODY', actorId: null, actorName: null, outcome: 'DENIED', resourceId: codeId },
    {
      who: 'MEMBER',
      actorId: EDITOR.id,
      actorName: 'Ada Lovelace',
      text: /^Ada Lovelace: /,
      changes: ['title'],
      resourceId: codeId,
      ip: null,
      userAgent: null,
    },
    { who: 'YOU', actorId: OWNER.id },
  ]);
  t.equal(entries.length, 4, 'and nothing of the editor alone');
  t.notMatch(text, stranger.id);
  t.notMatch(text, EDITOR.email);

  const select = async (query: string) =>
    (await read(query)).body.data.map(({ who }: { who: string }) => who);
  t.same(await select(`&actorId=${EDITOR.id}&action=QRCODE_UPDATED`), ['MEMBER']);
  t.same(await select('&outcome=DENIED'), ['SOMEBODY']);
  t.same(await select(`&actorId=${stranger.id}`), [], 'nobody finds out what a stranger did');
  t.same(await select('&to=2020-01-01'), []);
  t.equal((await read('&from=x')).status, 400);
  const german = await call('GET', `${path}/audit-logs`, {
    token: OWNER.token,
    headers: { 'accept-language': 'de' },
  });
  t.match(german.text, 'Der Dienst: Code geändert.');
  const page = await call('GET', `${path}/audit-logs?limit=1&cursor=start`, { token: OWNER.token });
  const next = await call('GET', `${path}/audit-logs?limit=1&cursor=${page.body.pagination.nextCursor}`, {
    token: OWNER.token,
  });
  t.not(next.body.data[0].id, page.body.data[0].id);

  for (const url of ['', '/export', '/verify']) {
    for (const { token } of [EDITOR, MANAGER])
      t.ok(isProblem(await call('GET', `${path}/audit-logs${url}`, { token }), 403, 'FORBIDDEN'), url);
    const foreign = await call('GET', `${path}/audit-logs${url}`, { token: stranger.token });
    t.ok(isProblem(foreign, 404, 'NOT_FOUND'), url);
  }
  await database.client.membership.delete({
    where: { accountId_userId: { accountId: id, userId: EDITOR.id } },
  });
  t.same(await select(`&actorId=${EDITOR.id}`), []);
  const later = (await read()).body.data.find(({ changes }: { changes: string[] }) =>
    changes.includes('title'),
  );
  t.match(later, { who: 'FORMER_MEMBER', actorId: null, actorName: null, text: /^A former member: / });
});

t.test('a former owner has nothing', async (t) => {
  const { id, path, OWNER, EDITOR, read } = await createShelter();
  await database.client.membership.update({
    where: { accountId_userId: { accountId: id, userId: EDITOR.id } },
    data: { role: 'OWNER' },
  });
  t.equal((await read('', EDITOR.token)).status, 200);
  await database.client.membership.delete({
    where: { accountId_userId: { accountId: id, userId: OWNER.id } },
  });
  for (const url of ['', '/export', '/verify'])
    t.equal((await call('GET', `${path}/audit-logs${url}`, { token: OWNER.token })).status, 404, url);
});

t.test('the entries are exported, and the export is one of them', async (t) => {
  const { path, OWNER, read } = await createShelter();
  const url = `${path}/audit-logs/export?format=csv&action=QRCODE_UPDATED`;
  const exported = await call('GET', url, { token: OWNER.token });
  const [header, ...lines] = exported.text.trim().split(/\r?\n/);
  t.match(header, 'id,createdAt,who,actorId,actorName');
  t.equal(lines.length, 4);
  t.match((await read('&action=AUDIT_LOG_EXPORTED')).body.data, [{ who: 'YOU' }]);
});

t.test('an owner verifies the entries, and finds one that was changed', async (t) => {
  const { path, OWNER } = await createShelter();
  const verify = async (query = '') =>
    (await call('GET', `${path}/audit-logs/verify${query}`, { token: OWNER.token })).body;
  await sealAllEntries(test);
  const before = await verify();
  t.match(before, { valid: true, finding: null, waiting: 0, complete: true });
  t.ok(before.verified >= 4);
  await insertAuditEntry(database.client, {
    ...BASE,
    requestId: 'later',
    actorId: OWNER.id,
    accountId: path.slice(-24),
  });
  const waiting = await verify();
  t.equal(waiting.verified + waiting.waiting, before.verified + 1);
  t.match(await verify('?to=2020-01-01'), { valid: true, verified: 0 });
  const { id } = await database.client.auditEntry.findFirstOrThrow({
    where: { requestId: 'by-editor', changes: { has: 'title' } },
    orderBy: { createdAt: 'desc' },
  });
  await runAsSchemaOwner(test, async (client) => {
    await client.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
    await client.query("UPDATE audit_entries SET outcome = 'FAILURE' WHERE id = $1", [id]);
    await client.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
  });
  t.match(await verify(), { valid: false, finding: { kind: 'CHANGED', entryId: id } });
  for (let times = 0; times < 16; times += 1) await verify();
  t.equal((await call('GET', `${path}/audit-logs/verify`, { token: OWNER.token })).status, 429);
});
