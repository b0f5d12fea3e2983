import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../helper.ts';
import { insertOrganization } from '../insert-organization.ts';
import { t } from '../tap.ts';

/** Longer than a credential check stays valid. */
const BODY_DELAY_MS = 600;

interface DelayedRequest {
  method: string;
  path: string;
  token: string;
  body: object | string;
  type?: string;
  accountId?: string;
}

async function startListeningApp(t: Test) {
  const test = await startTestApp(t);
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = test.app.server.address() as AddressInfo;
  const sendDelayed = async ({
    method,
    path,
    token,
    body,
    type = 'application/json',
    accountId,
  }: DelayedRequest) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${type}`,
      ...(accountId === undefined ? [] : [`Account-Id: ${accountId}`]),
      `Content-Length: ${text.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, 1)}`);
    await wait(BODY_DELAY_MS);
    return async () => {
      socket.write(text.slice(1));
      await once(socket, 'close');
      return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
    };
  };
  const administrator = async () => {
    const user = await test.createUser({ role: 'ADMIN' });
    return user;
  };
  return { test, sendDelayed: sendDelayed, administrator };
}

const findRole = async ({ database }: TestApp, id: string) =>
  (await database.client.user.findUniqueOrThrow({ where: { id } })).role;

t.test('rejects a delayed body after its session or role was revoked', async (t) => {
  const { test, sendDelayed, administrator } = await startListeningApp(t);
  const { call } = test;
  const root = await administrator();
  const as = root.accessToken;
  const losses: [string, number, (id: string, token: string) => Promise<{ status: number; text: string }>][] =
    [
      ['role', 401, (id) => call('PATCH', `/api/admin/users/${id}`, { token: as, body: { role: 'USER' } })],
      [
        'account',
        401,
        (id) => call('PATCH', `/api/admin/users/${id}`, { token: as, body: { status: 'SUSPENDED' } }),
      ],
      ['sessions', 401, (id) => call('DELETE', `/api/admin/users/${id}/sessions`, { token: as })],
      [
        'all',
        401,
        (_id, token) => call('DELETE', '/api/auth/account', { token, body: { password: TEST_PASSWORD } }),
      ],
    ];
  for (const [what, status, lose] of losses) {
    const [member, ally] = [await administrator(), await test.createUser()];
    const patch = (id: string, body: object) =>
      sendDelayed({ method: 'PATCH', path: `/api/admin/users/${id}`, token: member.accessToken, body });
    const [own, other] = await Promise.all([
      patch(member.id, { role: 'ADMIN', status: 'ACTIVE' }),
      patch(ally.id, { role: 'ADMIN' }),
    ]);
    const lost = await lose(member.id, member.accessToken);
    t.ok(lost.status === 200 || lost.status === 202, `${what}: ${lost.text}`);
    t.equal(await own(), status, `${what}: the own role`);
    t.equal(await other(), status, `${what}: an ally's`);
    t.equal(await findRole(test, ally.id), 'USER', what);
  }
});

t.test('a delayed form changes nothing after its session ended', async (t) => {
  const { test, sendDelayed } = await startListeningApp(t);
  const ada = await test.createUser();
  const body = '--b\r\nContent-Disposition: form-data; name="firstName"\r\n\r\nEve\r\n--b--\r\n';
  const finish = await sendDelayed({
    method: 'PUT',
    path: `/api/auth/profile/${ada.id}`,
    token: ada.accessToken,
    body,
    type: 'multipart/form-data; boundary=b',
  });
  t.equal((await test.call('POST', '/api/auth/logout', { token: ada.accessToken })).status, 200);
  t.equal(await finish(), 401);
  const { firstName } = await test.database.client.user.findUniqueOrThrow({ where: { id: ada.id } });
  t.equal(firstName, 'Ada');
});

t.test('a delayed request of a removed or demoted member creates nothing', async (t) => {
  const { test, sendDelayed } = await startListeningApp(t);
  const [owner, editor] = [await test.createUser(), await test.createUser()];
  const accountId = await insertOrganization(test, {
    members: [
      { userId: owner.id, role: 'OWNER' },
      { userId: editor.id, role: 'EDITOR' },
    ],
  });
  const member = `/api/organizations/${accountId}/members/${editor.id}`;
  const { accessToken: token } = owner;
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  for (const [end, status] of [
    [() => test.call('PATCH', member, { token, body: { role: 'VIEWER' } }), 403],
    [() => test.call('DELETE', member, { token }), 404],
  ] as const) {
    await test.call('PATCH', member, { token, body: { role: 'EDITOR' } });
    const request = { method: 'POST', path: '/api/qrcodes', token: editor.accessToken, body, accountId };
    const finish = await sendDelayed(request);
    t.equal((await end()).status, 200);
    t.equal(await finish(), status);
  }
  t.equal(await test.database.client.qrCode.count({ where: { accountId } }), 0);
});

t.test('accepts a slow request whose session is still valid', async (t) => {
  const { test, sendDelayed } = await startListeningApp(t);
  const { accessToken: token } = await test.createUser();
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const finish = await sendDelayed({ method: 'POST', path: '/api/qrcodes', token, body });
  t.equal(await finish(), 201);
});
