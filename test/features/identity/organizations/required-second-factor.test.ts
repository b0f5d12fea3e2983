import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { isProblem } from '../accounts/helper.ts';
import { createOrganizationOf, type TestMember } from './helper.ts';

const test = await startTestApp(t);
const { call, database } = test;
const { client } = database;

t.test('an organization in enterprise mode is managed with a second factor', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'MANAGER', 'VIEWER');
  const { OWNER, MANAGER, VIEWER } = members;
  await client.account.update({ where: { id }, data: { enterpriseMode: true } });
  const requests = [
    ['GET', path],
    ['PATCH', path, { name: 'Harbor' }],
    ['DELETE', path],
    ['POST', `${path}/restore`],
    ['GET', `${path}/members`],
    ['GET', `${path}/members/${VIEWER.id}`],
    ['PATCH', `${path}/members/${VIEWER.id}`, { role: 'EDITOR' }],
    ['PATCH', `${path}/members/${OWNER.id}`, { role: 'MANAGER' }],
    ['GET', `${path}/members/${VIEWER.id}/access`],
    ['DELETE', `${path}/members/${VIEWER.id}`],
    ['POST', `${path}/transfer-ownership`, { userId: VIEWER.id }],
    ['GET', `${path}/invitations`],
    ['POST', `${path}/invitations`, { email: 'grace@example.org', role: 'VIEWER' }],
    ['GET', `${path}/invitations/${generateId()}`],
    ['DELETE', `${path}/invitations/${generateId()}`],
    ['POST', `${path}/invitations/${generateId()}/resend`],
  ] as const;
  for (const [method, url, body] of requests) {
    const answer = await call(method, url, { token: OWNER.token, ...(body && { body }) });
    t.ok(isProblem(answer, 403, 'MFA_ENROLLMENT_REQUIRED'), `${method} ${url} ${answer.text}`);
  }
  t.match(await readOwn(path, MANAGER), [
    { status: 200, body: { data: [{ id, role: 'MANAGER' }] } },
    { status: 200, body: { role: 'MANAGER' } },
  ]);
  await client.webhookEndpoint.create({
    data: {
      id: generateId(),
      accountId: id,
      url: new Uint8Array([1]),
      secrets: new Uint8Array([1]),
      eventTypes: [],
    },
  });
  const access = await call('GET', `${path}/members/${MANAGER.id}/access`, { token: MANAGER.token });
  t.match(access, { status: 200, body: { webhookEndpoints: [] } });
  t.equal(access.body.webhookEndpoints.length, 0, 'nothing of the organization');
  await client.secondFactor.create({
    data: { userId: OWNER.id, secret: new Uint8Array([1]), confirmedAt: new Date(), lastStep: 1n },
  });
  for (const [method, url] of requests.filter((request) => request[0] === 'GET').slice(0, 3))
    t.equal((await call(method, url, { token: OWNER.token })).status, 200, url);
  t.equal((await call('POST', `${path}/leave`, { token: VIEWER.token })).status, 200, 'leaving');
  const removed = await call('DELETE', `${path}/members/${MANAGER.id}`, { token: MANAGER.token });
  t.equal(removed.status, 200, 'removing oneself');
});

/** What a member reads of their membership. */
async function readOwn(path: string, { id, token }: TestMember) {
  return [
    await call('GET', '/api/organizations', { token }),
    await call('GET', `${path}/members/${id}`, { token }),
  ];
}
