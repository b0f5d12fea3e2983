import { getRolePermissions, PERMISSIONS, USER_ROLES } from '../../src/permissions.ts';
import { createFakeProvider } from '../features/billing/payments/fake-provider.ts';
import { setPackageLimit } from '../features/billing/subscriptions/subscription-helper.ts';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { ACCESS_MATRIX } from './access-matrix.ts';
import {
  addCredential,
  CALLERS,
  type CallerName,
  createCallerAccounts,
  createSessionToken,
  type TestSession,
} from './callers.ts';
import { createTestResources, PRIVATE_WORDS } from './test-resources.ts';

const test = await startTestApp(t, {}, { payments: createFakeProvider().provider });
const accounts = await createCallerAccounts(test);
// Several rows create a code for each caller.
await setPackageLimit(test, 'FREE', { qrCodes: 1_000 });
const things = createTestResources(test, accounts.owner);
const routes = test.app.declaredRoutes().map(({ method, url }) => `${method} ${url}`);

t.test('every route has a row of the matrix, and every row a route', async (t) => {
  t.same([...new Set(routes)].sort(), Object.keys(ACCESS_MATRIX).sort());
  const cells = routes.length * CALLERS.length;
  t.ok(cells >= 400, `${cells} cells`);
});

t.test('returns the expected status of the access matrix, and private data only to the owner', async (t) => {
  let cells = 0;
  const sessions = new Map<CallerName, TestSession>();
  for (const [operation, { rule, request }] of Object.entries(ACCESS_MATRIX)) {
    const [method = '', path = ''] = operation.split(' ');
    const wrong: string[] = [];
    for (const caller of CALLERS) {
      const {
        ids = [],
        query,
        body,
        headers = {},
      } = (await request?.({ test, caller, accounts, things })) ?? {};
      const remaining = [...ids];
      const url = path.replace(/:\w+|\*$/g, () => remaining.shift() ?? 'missing');
      if (caller !== 'anonymous' && !sessions.has(caller))
        sessions.set(caller, await createSessionToken(test, accounts[caller], { ended: caller === 'ended' }));
      const options = addCredential(test, path, caller, sessions.get(caller), { headers, body });
      const { status, text } = await test.call(method, query ? `${url}?${query}` : url, options);
      // It may have ended the session.
      if (method !== 'GET') sessions.delete(caller);
      const words = caller === 'owner' ? [] : PRIVATE_WORDS.filter((word) => text.includes(word));
      if (status !== rule(caller) || words.length > 0)
        wrong.push(`as ${caller} ${status}, expected ${rule(caller)}: ${words} ${text.slice(0, 300)}`);
      cells += 1;
    }
    t.same(wrong, [], operation);
  }
  t.ok(cells >= 400, `${cells} cells`);
});

t.test('records that other users tried to change are unchanged', async (t) => {
  const id = await things.code({ test, caller: 'stranger', accounts, things });
  const { token } = await createSessionToken(test, accounts.owner);
  const { status, body } = await test.call('GET', `/api/qrcodes/${id}`, { token });
  t.equal(status, 200);
  t.match(body, { title: 'Rex', status: 'ACTIVE', version: 1, accountId: accounts.owner.id });
});

t.test('defines every permission in the table, and no permission of staff for users', async (t) => {
  for (const role of USER_ROLES) {
    for (const permission of getRolePermissions(role))
      t.ok(permission in PERMISSIONS, `${role}: ${permission}`);
  }
  const ordinary = getRolePermissions('USER');
  t.same(
    ordinary.filter((name) => /^(admin|audit|support):|:read-any$/.test(name)),
    [],
  );
  t.same(
    getRolePermissions('AUDITOR').filter((name) => !ordinary.includes(name)),
    ['audit:read'],
  );
  t.same(
    getRolePermissions('SUPPORT').filter((name) => !ordinary.includes(name)),
    ['support:find', 'support:mail-status'],
  );
  t.same(getRolePermissions('ROOT'), []);
});
