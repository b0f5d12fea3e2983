import { insertAuditEntry } from '../../../src/platform/audit.repository.ts';
import { startTestApp } from '../../helper.ts';
import { insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { signInBrowser } from '../owner-pages/signed-in-browser.ts';
import { createAuditor } from './helper.ts';

const BASE = { action: 'QRCODE_UPDATED', outcome: 'SUCCESS', operation: 'test' } as const;

/** A user who is a member of an organization, and an entry of each sort. */
async function createFixture(t: Parameters<typeof startTestApp>[0]) {
  const test = await startTestApp(t);
  const { database, call } = test;
  const { auditor } = await createAuditor(test);
  const [ada, bob] = [await test.createUser(), await test.createUser()];
  const shelter = await insertOrganization(test, {
    name: 'Shelter',
    members: [{ userId: ada.id, role: 'EDITOR' }],
  });
  const code = await call('POST', '/api/qrcodes', {
    token: ada.accessToken,
    body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
  });
  const add = (requestId: string, entry: object) =>
    insertAuditEntry(database.client, { ...BASE, requestId, ...entry });
  await add('for-shelter', { actorId: ada.id, accountId: shelter });
  await add('for-herself', { actorId: ada.id, accountId: ada.id });
  await add('about-shelter', { resourceType: 'ORGANIZATION', resourceId: shelter, actorId: bob.id });
  await add('shelter-about-ada', { resourceId: code.body.id, actorId: bob.id, accountId: shelter });
  await add('ada-for-shelter-about-ada', {
    resourceId: code.body.id,
    actorId: ada.id,
    accountId: shelter,
  });
  const list = async (path: string, token: string) => {
    const answer = await call('GET', path, { token });
    t.equal(answer.status, 200, answer.text);
    return answer.body.data as { id: string; accountId: string | null }[];
  };
  const named = await database.client.auditEntry.findMany({ where: { operation: 'test' } });
  const names = new Map(named.map(({ id, requestId }) => [id, requestId]));
  const toNames = (entries: readonly { id: string }[]) =>
    entries.flatMap(({ id }) => names.get(id) ?? []).toSorted();
  return { test, auditor, ada, bob, shelter, list, toNames };
}

t.test('an entry names the account that somebody acted for, unless it is their own', async (t) => {
  const { test, auditor, ada, shelter, list } = await createFixture(t);
  const { database } = test;
  const { reference } = await database.client.auditActor.findUniqueOrThrow({ where: { userId: shelter } });
  const rows = await database.client.auditEntry.findMany({ where: { operation: 'test' } });
  const byName = Object.fromEntries(rows.map((row) => [row.requestId, row]));
  t.equal(byName['for-shelter']?.accountReference, reference);
  t.equal(byName['for-herself']?.accountReference, null);
  t.match(byName['about-shelter'], {
    resourceId: reference,
    subjectReference: reference,
    accountReference: null,
  });
  const own = rows.filter(({ requestId }) => requestId === 'for-shelter');
  t.notMatch(JSON.stringify(own), shelter, 'the trail itself has no id');

  const entries = await list(`/api/admin/audit-logs?limit=100&actorId=${ada.id}`, auditor.accessToken);
  t.match(
    entries.find(({ id }) => id === byName['for-shelter']?.id),
    { actorId: ada.id, accountId: shelter },
  );
  t.match(
    entries.find(({ id }) => id === byName['for-herself']?.id),
    { actorId: ada.id, accountId: null },
  );
  const [about] = await list(
    `/api/admin/audit-logs?resourceType=ORGANIZATION&resourceId=${shelter}`,
    auditor.accessToken,
  );
  t.match(about, { resourceId: shelter, subjectId: shelter });
});

t.test(
  'staff select what was done for an account and what was done to its data, each entry once',
  async (t) => {
    const { test, auditor, ada, shelter, list, toNames } = await createFixture(t);
    const token = auditor.accessToken;
    const select = async (query: string) =>
      toNames(await list(`/api/admin/audit-logs?limit=100&${query}`, token));
    t.same(await select(`accountId=${shelter}`), [
      'about-shelter',
      'ada-for-shelter-about-ada',
      'for-shelter',
      'shelter-about-ada',
    ]);
    t.same(await select(`accountId=${ada.id}`), [
      'ada-for-shelter-about-ada',
      'for-herself',
      'shelter-about-ada',
    ]);
    t.same(await select(`accountId=${shelter}&actorId=${ada.id}`), [
      'ada-for-shelter-about-ada',
      'for-shelter',
    ]);
    const counted = await test.call('GET', `/api/admin/audit-logs?accountId=${shelter}`, { token });
    t.equal(counted.body.pagination.total, 4);
    const exported = await test.call('GET', `/api/admin/audit-logs/export?format=csv&accountId=${shelter}`, {
      token,
    });
    t.match(exported.text.split('\n')[0], /,accountId\r?$/);
    t.equal(exported.text.trim().split('\n').length, 5);
    t.equal((await test.call('GET', '/api/admin/audit-logs?accountId=x', { token })).status, 400);
  },
);

t.test('a user selects their own entries by account, and no others', async (t) => {
  const { test, ada, bob, shelter, list, toNames } = await createFixture(t);
  const mine = (query: string, token = ada.accessToken) => list(`/api/audit/mine?limit=100${query}`, token);
  t.same(toNames(await mine('')), [
    'ada-for-shelter-about-ada',
    'for-herself',
    'for-shelter',
    'shelter-about-ada',
  ]);
  const forShelter = await mine(`&accountId=${shelter}`);
  t.same(toNames(forShelter), ['ada-for-shelter-about-ada', 'for-shelter', 'shelter-about-ada']);
  t.ok(forShelter.every(({ accountId }) => accountId === shelter));
  t.same(toNames(await mine(`&accountId=${ada.id}&by=ME`)), ['ada-for-shelter-about-ada', 'for-herself']);
  t.same(toNames(await mine(`&accountId=${ada.id}`, bob.accessToken)), ['shelter-about-ada'], 'own action');
  const stranger = await test.createUser();
  t.same(toNames(await mine(`&accountId=${shelter}`, stranger.accessToken)), []);
});

t.test(
  'what a member may not do with an organization stands in its trail, what a stranger tries does not',
  async (t) => {
    const { test, ada, bob, shelter, auditor, list } = await createFixture(t);
    const path = `/api/organizations/${shelter}`;
    const requests = [
      ['PATCH', path, { name: 'Harbor' }],
      ['DELETE', path],
      ['GET', `${path}/invitations`],
      ['DELETE', `${path}/members/${bob.id}`],
    ] as const;
    for (const [method, url, body] of requests) {
      for (const { accessToken: token } of [ada, bob])
        t.ok(
          (await test.call(method, url, { token, ...(body && { body }) })).status >= 403,
          `${method} ${url}`,
        );
    }
    const browser = await signInBrowser(test, ada);
    await browser.open(`/app/${ada.id}/settings/organizations/${shelter}/invitations`);
    const denials = await list(
      `/api/admin/audit-logs?limit=100&action=ACCESS_DENIED&accountId=${shelter}&actorId=${ada.id}`,
      auditor.accessToken,
    );
    t.match(
      denials,
      Array.from({ length: 5 }, () => ({ actorId: ada.id, accountId: shelter, resourceId: shelter })),
    );
    t.equal(denials.length, 5);
    const tried = await list(
      `/api/admin/audit-logs?limit=100&action=ACCESS_DENIED&actorId=${bob.id}`,
      auditor.accessToken,
    );
    t.equal(tried.length, 4);
    t.ok(tried.every(({ accountId }) => accountId === null));
  },
);
