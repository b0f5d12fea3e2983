import { createHash } from 'node:crypto';
import { AUDIT_ACTIONS } from '../../src/audit-actions.ts';
import { insertAuditEntry } from '../../src/platform/audit.repository.ts';
import { generateAbsentId, startTestApp } from '../helper.ts';
import { t } from '../tap.ts';

t.test('an audit entry is stored if and only if the transaction commits', async (t) => {
  const { database } = await startTestApp(t);
  const record = { action: 'ROLE_CHANGED', outcome: 'SUCCESS', operation: 'test', requestId: 'r-1' } as const;
  await t.rejects(
    database.transaction(async (tx) => {
      await insertAuditEntry(tx, record);
      throw new Error('undone');
    }),
    /undone/,
  );
  t.equal(await database.client.auditEntry.count(), 0);
  await database.transaction((tx) => insertAuditEntry(tx, record));
  t.match(await database.client.auditEntry.findMany(), [
    {
      ...record,
      severity: 'CRITICAL',
      resourceType: 'USER',
      resourceId: null,
      actorReference: null,
      ipHash: null,
    },
  ]);
  t.equal(await database.client.auditOrigin.count(), 0, 'the service itself comes from nowhere');
});

t.test(
  'an entry has references and salted hashes; user, address and agent are in separate tables',
  async (t) => {
    const { database, createUser, call } = await startTestApp(t);
    const { id, accessToken: token } = await createUser();
    const headers = { 'user-agent': 'canary-agent/1' };
    const options = { token, headers, remoteAddress: '203.0.113.77' };
    await call('PUT', `/api/auth/profile/${id}`, { ...options, body: { firstName: 'Grace' } });
    const entry = await database.client.auditEntry.findFirstOrThrow({
      where: { action: 'PROFILE_UPDATED' },
      include: { origin: true },
    });
    const { reference } = await database.client.auditActor.findUniqueOrThrow({ where: { userId: id } });
    t.match(entry, {
      actorReference: reference,
      resourceId: reference,
      changes: ['firstName'],
      operation: 'accounts.updateProfile',
    });
    t.match(entry.requestId, /\S{8,}/);
    const { origin } = entry;
    t.match(
      origin,
      { ip: '203.0.113.0', userAgent: headers['user-agent'] },
      'the address is truncated, except for logins',
    );
    const hashed = (value: string) =>
      createHash('sha256')
        .update(origin?.salt ?? '')
        .update(value)
        .digest('hex');
    t.equal(Buffer.from(entry.ipHash ?? []).toString('hex'), hashed('203.0.113.0'));
    t.equal(Buffer.from(entry.userAgentHash ?? []).toString('hex'), hashed(headers['user-agent']));
    const text = JSON.stringify({ ...entry, origin: undefined });
    for (const secret of [id, 'Grace', '203.0.113', 'canary-agent']) t.notMatch(text, secret);
  },
);

t.test(
  'records one entry per denial with the requested resource, and none for anonymous requests',
  async (t) => {
    const { database, createUser, call } = await startTestApp(t);
    const owner = await createUser();
    const { accessToken: token, id } = await createUser();
    const denied = () =>
      database.client.auditEntry.findMany({
        where: { action: 'ACCESS_DENIED' },
        orderBy: { createdAt: 'asc' },
      });
    const reference = async (userId: string) =>
      (await database.client.auditActor.findUniqueOrThrow({ where: { userId } })).reference;
    await call('GET', `/api/auth/profile/${owner.id}`, { token });
    t.match(await denied(), [
      {
        resourceType: 'USER',
        resourceId: await reference(owner.id),
        actorReference: await reference(id),
        outcome: 'DENIED',
        severity: 'MEDIUM',
      },
    ]);
    await call('DELETE', `/api/auth/sessions/${generateAbsentId()}`, { token });
    await call('GET', '/api/admin/users', { token });
    t.equal((await denied()).length, 3);
    await call('GET', `/api/auth/profile/${owner.id}`);
    await call('GET', `/api/auth/profile/${owner.id}`, { token: 'a.b.c' });
    await call('GET', '/api/nothing/here', { token });
    await call('PUT', `/api/auth/profile/${id}`, { token, body: { firstName: 7 } });
    t.equal((await denied()).length, 3, 'neither are unknown paths and wrong fields');
  },
);

t.test('the application can neither change nor remove audit entries', async (t) => {
  const { database, createUser } = await startTestApp(t);
  await createUser();
  for (const statement of [
    "UPDATE audit_entries SET outcome = 'FAILURE'",
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries CASCADE',
  ]) {
    await t.rejects(database.pool.query(statement), { code: '42501' }, statement);
  }
  t.ok((await database.client.auditEntry.count()) > 0);
});

t.test(
  'responds to an integrity failure with 500 DATA_INTEGRITY only and records it as CRITICAL',
  async (t) => {
    const { database, createUser, call } = await startTestApp(t);
    const { id, accessToken: token } = await createUser();
    await call('PUT', `/api/auth/profile/${id}`, { token, body: { phone: '+44 20 7946 0000' } });
    await database.pool.query(
      'UPDATE users SET phone = set_byte(phone, length(phone) - 1, get_byte(phone, length(phone) - 1) # 1) WHERE id = $1',
      [id],
    );
    const answer = await call('GET', `/api/auth/profile/${id}`, { token });
    t.equal(answer.status, 500);
    t.same(Object.keys(answer.body).sort(), ['code', 'detail', 'requestId', 'status', 'title', 'type']);
    t.equal(answer.body.code, 'DATA_INTEGRITY');
    t.match(await database.client.auditEntry.findMany({ where: { action: 'DATA_INTEGRITY_FAILED' } }), [
      { severity: 'CRITICAL', outcome: 'FAILURE', resourceType: 'USER', requestId: answer.body.requestId },
    ]);
  },
);

t.test('every action has a severity, a type, a meaning and a name that fits the column', (t) => {
  for (const [name, row] of Object.entries(AUDIT_ACTIONS)) {
    t.match(name, /^[A-Z][A-Z0-9_]{2,60}$/);
    t.match(
      row,
      { severity: /^(LOW|MEDIUM|HIGH|CRITICAL)$/, resourceType: /^[A-Z_]+$/, meaning: /^.{10,}\.$/ },
      name,
    );
  }
  t.end();
});
