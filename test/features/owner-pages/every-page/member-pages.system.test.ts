import { isAccountPermission } from '../../../../src/permissions.ts';
import { type DeclaredRoute, hasAccountRole } from '../../../../src/platform/route-access.ts';
import { ACCOUNT_ROLES, type AccountRole } from '../../../../src/shared/account-roles.ts';
import { createSessionToken } from '../../../access/callers.ts';
import type { TestUser } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { type ListedPage, listPages, startPages } from './page-routes.ts';

const cell = await startPages(t);
const { test } = cell;
const { client } = test.database;
const routes = test.app.declaredRoutes().filter(({ url }) => /^\/app(\/|$)/.test(url));

/** Find the route of an address: where several have it, the one with the most names in common. */
function findRoute(method: string, path: string): DeclaredRoute | undefined {
  const segments = path.split('/');
  const countNames = ({ url }: DeclaredRoute) =>
    url.split('/').filter((part) => !part.startsWith(':')).length;
  return routes
    .filter((route) => {
      const parts = route.url.split('/');
      const isSame = (part: string, index: number) => part.startsWith(':') || part === segments[index];
      return route.method === method && parts.length === segments.length && parts.every(isSame);
    })
    .toSorted((one, other) => countNames(other) - countNames(one))[0];
}

interface Use {
  method: string;
  address: string;
  /** Without the query. */
  path: string;
}

/** List what somebody can send or open from a page, by their addresses below /app. */
function listUses(html: string): Use[] {
  const uses: Use[] = [];
  const add = (method: string, escaped = '') => {
    const [address = ''] = escaped.replaceAll('&#38;', '&').split('#');
    const [path = ''] = address.split('?');
    if (path.startsWith('/app/')) uses.push({ method, address, path });
  };
  for (const [, attributes = '', content = ''] of html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const method = /method="post"/.test(attributes) ? 'POST' : 'GET';
    add(method, / action="([^"]*)"/.exec(attributes)?.[1]);
    for (const [, address] of content.matchAll(/ formaction="([^"]*)"/g)) add(method, address);
  }
  for (const [, address] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) add('GET', address);
  return uses;
}

interface Member extends Pick<TestUser, 'id' | 'email'> {
  role: AccountRole;
}

/** Whether somebody may use a route for the account of its address. Of their own account they are the owner. */
function isAllowed({ method, path }: Use, { id, role }: Member): boolean {
  const access = findRoute(method, path)?.access;
  if (!access) return false;
  if (access.who === 'anyone') return true;
  const [, , accountId = ''] = path.split('/');
  if (isAccountPermission(access.permission)) return accountId === id || hasAccountRole(role, access, method);
  return accountId === id || !/^[0-9a-f]{24}$/.test(accountId);
}

/** Make an account an organization with a member of each role. */
const members = new Map<string, readonly Member[]>();
async function getMembers(accountId: string): Promise<readonly Member[]> {
  const known = members.get(accountId);
  if (known) return known;
  const row = { type: 'ORGANIZATION', userId: null, name: 'Harbor School' };
  await client.account.update({ where: { id: accountId }, data: row });
  const created: Member[] = [];
  for (const role of ACCOUNT_ROLES) {
    const { id, email } = await test.createUser();
    await client.membership.create({ data: { accountId, userId: id, role } });
    created.push({ id, email, role });
  }
  members.set(accountId, created);
  return created;
}

async function visit({ path, cookies }: ListedPage, member: Member) {
  const { page } = await createSessionToken(test, member);
  const others = [...cookies].filter(([name]) => name !== 'session');
  const cookie = [page.cookie, ...others.map(([name, value]) => `__Host-${name}=${value}`)].join('; ');
  return test.call('GET', path, { headers: { cookie, accept: 'text/html' } });
}

const statuses = new Map<string, number>();
async function open(address: string, member: Member): Promise<number> {
  const key = `${member.id} ${address}`;
  const known = statuses.get(key);
  if (known !== undefined) return known;
  const { page } = await createSessionToken(test, member);
  const headers = { cookie: page.cookie, accept: 'text/html' };
  const { status } = await test.call('GET', address, { headers });
  statuses.set(key, status);
  return status;
}

t.test('each page of an account offers a role only what it may use', async (t) => {
  const pages = (await listPages(cell)).filter(({ route }) => {
    const access = routes.find(({ method, url }) => `${method} ${url}` === route)?.access;
    return (
      route.includes('/:accountId') && access?.who === 'account' && isAccountPermission(access.permission)
    );
  });
  let visits = 0;
  for (const page of pages) {
    const [, , accountId = ''] = page.path.split('/');
    const wrong: string[] = [];
    for (const member of await getMembers(accountId)) {
      const { status, text } = await visit(page, member);
      if (status !== 200) continue;
      visits += 1;
      const refused: string[] = [];
      for (const use of listUses(text)) {
        const name = `${use.method} ${findRoute(use.method, use.path)?.url ?? use.path}`;
        if (!isAllowed(use, member)) refused.push(name);
        else if (use.method === 'GET') {
          const opened = await open(use.address, member);
          if (opened >= 400) refused.push(`${name} is ${opened}`);
        }
      }
      if (refused.length > 0) wrong.push(`${member.role}: ${[...new Set(refused)].join(', ')}`);
    }
    t.same(wrong, [], page.route);
  }
  t.ok(visits >= 200, `${visits} visits`);
  t.ok(statuses.size >= 500, `${statuses.size} links`);
});
