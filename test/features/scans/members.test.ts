import {
  createTestLinkToken,
  hashTestLinkToken,
  insertTestLink,
} from '../../../src/features/codes/test-link.repository.ts';
import type { AccountRole } from '../../../src/shared/account-roles.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { createCodeOfAccount, insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { BERLIN_POSITION, createTokenHeader, startScans } from './helper.ts';

const test = await startScans(t);
const { call, createUser, database, owner, scan } = test;
const { client, pool } = database;

const responder = await createUser();
const stranger = await createUser();
const accountId = await insertOrganization(test, {
  members: [
    { userId: owner.id, role: 'OWNER' },
    { userId: responder.id, role: 'RESPONDER' },
  ],
});
const createCode = (body = {}) => createCodeOfAccount(test, { accountId, userId: owner.id }, body);

const findLastScan = (qrCodeId: string) =>
  client.scan.findFirstOrThrow({ where: { qrCodeId }, orderBy: [{ scannedAt: 'desc' }, { id: 'desc' }] });

async function withoutMembership<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
  const { rows } = await pool.query(
    'DELETE FROM memberships WHERE account_id = $1 AND user_id = $2 RETURNING role',
    [accountId, userId],
  );
  try {
    return await work();
  } finally {
    await pool.query('INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)', [
      accountId,
      userId,
      rows[0]?.role,
    ]);
  }
}

t.test('a member who scans a code of the organization is its owner, whatever the role', async (t) => {
  const qrCodeId = await createCode();
  const classOf = async (token: string | undefined) => {
    const made = await scan({ qrCodeId }, { token });
    t.equal(made.status, 201, made.text);
    return (await findLastScan(qrCodeId)).classRule;
  };
  t.equal(await classOf(responder.accessToken), 'owner-account');
  t.equal(await client.notification.count({ where: { accountId } }), 0, 'nobody is notified');
  t.not(await classOf(stranger.accessToken), 'owner-account');
  t.not(
    await withoutMembership(responder.id, () => classOf(responder.accessToken)),
    'owner-account',
    'nor is a former member',
  );
});

t.test('a PIN guards the content of a code from members who do not read it', async (t) => {
  const qrCodeId = await createCode({ pin: '2468' });
  const enter = async (pin: string, token: string) =>
    (await scan({ qrCodeId, pin }, { token, remoteAddress: '198.18.7.7' })).status;
  for (let n = 0; n < 6; n++) t.equal(await enter('0000', owner.accessToken), 403);
  t.equal(await enter('2468', owner.accessToken), 201, 'the owner has nothing to guess');
  for (let n = 0; n < 5; n++) t.equal(await enter('0000', responder.accessToken), 403);
  t.equal(await enter('2468', responder.accessToken), 429, 'a responder has');
});

t.test('the phone of a member counts as the owner while the membership lasts', async (t) => {
  const qrCodeId = await createCode();
  const createLink = () =>
    database.transaction(async (tx) => {
      const token = await createTestLinkToken(tx, responder.id);
      const link = { tokenHash: hashTestLinkToken(token), qrCodeId, userId: responder.id };
      await insertTestLink(tx, { ...link, expiresAt: new Date(Date.now() + 60_000) });
      return `/s/test/${token}`;
    });
  const open = async (path: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return call('POST', path, { headers, body: '' });
  };
  const path = await createLink();
  t.equal((await withoutMembership(responder.id, () => open(path))).status, 404, 'not who was removed');
  const opened = await open(path);
  t.equal(opened.status, 303, opened.text);
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';');
  const ruleOf = async (codeId: string) => {
    const page = await call('GET', `/s/${codeId}`, { headers: { cookie } });
    t.equal(page.status, 200);
    const { classRule } = await findLastScan(codeId);
    t.equal(page.text.includes('marked as yours'), classRule === 'owner-phone', 'the page says so');
    return classRule;
  };
  t.equal(await ruleOf(qrCodeId), 'owner-phone');
  t.equal(await ruleOf(await createCode()), 'owner-phone', 'for all codes of the organization');
  t.equal(await ruleOf(await test.code({}, responder)), 'owner-phone', 'and for those of the user');
  t.not(await ruleOf(await test.code({}, owner)), 'owner-phone', 'but not for those of other members');
  t.not(await withoutMembership(responder.id, () => ruleOf(qrCodeId)), 'owner-phone');

  const listed = await call('GET', '/api/own-phones', { token: responder.accessToken });
  t.equal(listed.body.data.length, 1, listed.text);
});

t.test('whoever a route serves without a credential gets no less with an Account-Id', async (t) => {
  const qrCodeId = await createCode({ pin: '2468' });
  const foreign = await insertOrganization(test);
  const suspended = await insertOrganization(test, { members: [{ userId: stranger.id, role: 'OWNER' }] });
  await pool.query("UPDATE accounts SET status = 'SUSPENDED' WHERE id = $1", [suspended]);
  const roles = await Promise.all(
    (['VIEWER', 'RESPONDER', 'BILLING'] as const).map((role) =>
      insertOrganization(test, { members: [{ userId: stranger.id, role }] }),
    ),
  );
  for (const named of [...roles, foreign, suspended, generateId(), 'school']) {
    const options = { token: stranger.accessToken, headers: { 'account-id': named } };
    const made = await scan({ qrCodeId }, options);
    t.equal(made.status, 201, `${named}: ${made.text}`);
    const url = `/api/scans/public/${made.body.scan.id}`;
    const withToken = { ...options, headers: { ...options.headers, ...createTokenHeader(made) } };
    const statuses = {
      read: (await call('GET', url, options)).status,
      readWithToken: (await call('GET', url, withToken)).status,
      unlock: (await call('POST', `${url}/unlock`, { ...withToken, body: { pin: '2468' } })).status,
      locate: (await call('POST', `${url}/location`, { ...withToken, body: BERLIN_POSITION })).status,
      geocoded: (
        await call('POST', '/api/scans/geocoded?type=guest', {
          ...options,
          body: { qrCodeId, ...BERLIN_POSITION },
        })
      ).status,
    };
    t.same(statuses, { read: 200, readWithToken: 200, unlock: 200, locate: 201, geocoded: 201 }, named);
  }
  const denials = await client.auditEntry.count({ where: { action: 'ACCESS_DENIED' } });
  t.equal(denials, 0, 'nothing was denied');
});

t.test('a scan is open to the members whose role reads scans, and to others as to a guest', async (t) => {
  const member = await createUser();
  const qrCodeId = await createCode();
  const made = await scan({ qrCodeId });
  const { id } = made.body.scan;
  const isRead = async (accountId: string) => {
    const options = { token: member.accessToken, headers: { 'account-id': accountId } };
    const { status, body } = await call('GET', `/api/scans/${id}`, options);
    t.equal(status, 200);
    return 'userAgent' in body;
  };
  const setRole = (role: AccountRole) =>
    pool.query(
      `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)
ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`,
      [accountId, member.id, role],
    );
  t.equal(await isRead(accountId), false, 'nobody');
  const read: Record<string, boolean> = {};
  for (const role of ['MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'] as const) {
    await setRole(role);
    read[role] = await isRead(accountId);
  }
  t.same(read, { MANAGER: true, EDITOR: true, RESPONDER: true, VIEWER: true, BILLING: false });
  await setRole('MANAGER');
  t.equal(await isRead(member.id), false, 'who acts for another account');
  await pool.query("UPDATE accounts SET status = 'SUSPENDED' WHERE id = $1", [accountId]);
  t.equal(await isRead(accountId), false, 'nobody while the organization is suspended');
  await pool.query("UPDATE accounts SET status = 'ACTIVE' WHERE id = $1", [accountId]);
});

t.test('a geocoded scan of a user needs what a scan of a user needs', async (t) => {
  const qrCodeId = await createCode();
  const body = { qrCodeId, ...BERLIN_POSITION };
  const viewed = await insertOrganization(test, { members: [{ userId: stranger.id, role: 'VIEWER' }] });
  const paid = await insertOrganization(test, { members: [{ userId: stranger.id, role: 'BILLING' }] });
  for (const url of ['/api/scans', '/api/scans/geocoded?type=user']) {
    const send = async (accountId: string) => {
      const headers = { 'account-id': accountId };
      const { status, body: answer } = await call('POST', url, {
        token: stranger.accessToken,
        headers,
        body,
      });
      return `${status} ${answer.code ?? ''}`;
    };
    t.equal(await send(viewed), '201 ', `${url}: a scan changes nothing of the account`);
    t.equal(await send(paid), '403 FORBIDDEN', url);
    t.equal(await send(generateId()), '404 ACCOUNT_NOT_FOUND', url);
    t.equal(await send('school'), '400 VALIDATION_FAILED', url);
  }
});
