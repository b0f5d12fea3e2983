import { parse } from 'csv-parse/sync';
import { findCaller } from '../../../access/prepare-request.ts';
import { t } from '../../../tap.ts';
import { HOSTILE_MARKUP, HOSTILE_TEXTS } from './hostile-texts.ts';
import { NO_PAGES, type PageCell } from './page-fixtures.ts';
import { listPageRoutes, listPages, prepareRequest, startPages } from './page-routes.ts';

/** Previews of a finder's page, which the pages for owners show in a frame. */
const FRAMED_PAGES = [
  'GET /app/start/:kind/preview',
  'GET /app/:accountId/codes/new/:kind/preview',
  'GET /app/:accountId/codes/:id/practice/page',
  'GET /app/staff/codes/:id/page',
];

const SAFE_DISPOSITION =
  /^(?:inline|attachment)(?:; filename="[ !#-~]+"(?:; filename\*=UTF-8''[\w.!~%-]+)?)?$/;

const FOREIGN_HEADERS = [
  ['sec-fetch-site', 'cross-site'],
  ['origin', 'https://evil.example'],
] as const;

const cell = await startPages(t);

t.test('every page below /app stays in no cache, in no frame, and sets no cookie', async (t) => {
  const visible = new Set<string>();
  for (const { route, path, status, cookies } of await listPages(cell)) {
    const {
      headers,
      status: actual,
      text,
    } = await cell.test.call('GET', path, {
      headers: { accept: 'text/html', cookie: formatCookies(cookies) },
    });
    t.equal(actual, status, route);
    t.notMatch(text, HOSTILE_MARKUP, `${route} escapes markup`);
    for (const [name, hostile] of Object.entries(HOSTILE_TEXTS))
      if (text.includes(hostile.slice(1, hostile.indexOf('"')))) visible.add(name);
    t.match(headers['content-type'], /^text\/html/, route);
    t.equal(headers['cache-control'], 'no-store', route);
    const policy = String(headers['content-security-policy']);
    t.match(
      policy,
      FRAMED_PAGES.includes(route) ? /frame-ancestors 'self'/ : /frame-ancestors 'none'/,
      route,
    );
    t.notMatch(policy, /unsafe/, route);
    t.equal(headers['x-content-type-options'], 'nosniff', route);
    t.equal(headers['referrer-policy'], 'no-referrer', route);
    // Those that are taken away do not count.
    const lines = [headers['set-cookie'] ?? []].flat().map(String);
    const names = lines.filter((line) => !line.includes('Max-Age=0')).map((line) => line.split('=')[0]);
    // Before a sign-in the token of forms belongs to the browser. Home has what is new since the last visit.
    const allowed = cookies.has('session') ? ['__Host-home-visit'] : ['__Host-browser'];
    t.same(
      names.filter((name) => !allowed.includes(name ?? '')),
      [],
      route,
    );
  }
  t.same(visible, new Set(Object.keys(HOSTILE_TEXTS)), 'each hostile text is on a page');
});

t.test('what is no page leads on, or is a file that no shared cache keeps', async (t) => {
  for (const route of NO_PAGES) {
    const { url, headers } = await prepareRequest(route, findUser(route), cell);
    const answer = await cell.test.call('GET', url, { headers });
    t.notOk(
      answer.status === 200 && String(answer.headers['content-type']).startsWith('text/html'),
      `${route} is no page`,
    );
    t.match(answer.headers['cache-control'], /no-store|private/, route);
    t.match(answer.headers['content-disposition'] ?? 'inline', SAFE_DISPOSITION, route);
    if (/^text\/csv/.test(String(answer.headers['content-type'])))
      for (const cell of parse(answer.text, { bom: true, relax_column_count: true }).flat())
        t.notMatch(cell, /(?:^|;)[=+\-@]/, `${route} has no formula`);
  }
});

t.test('every form below /app is refused without its token, and from another site', async (t) => {
  for (const route of listPageRoutes(cell.test, 'POST')) {
    const caller = isBeforeSignIn(cell, route) ? 'anonymous' : findUser(route);
    const { url, headers, body } = await prepareRequest(route, caller, cell);
    const send = (changes: { body?: unknown; headers?: Record<string, string> }) =>
      cell.test.call('POST', url, { body, ...changes, headers: { ...headers, ...changes.headers } });
    for (const [name, value] of FOREIGN_HEADERS)
      t.equal((await send({ headers: { [name]: value } })).status, 403, `${route} ${name}`);
    for (const token of ['', 'x'.repeat(60)]) {
      const { status, headers: answered } = await send({
        body: String(new URLSearchParams({ token })),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      // Before a sign-in the page with the form is shown again.
      if (isBeforeSignIn(cell, route))
        t.match({ status, ...answered }, { status: 303, location: /^\/app/ }, route);
      else t.equal(status, 403, route);
    }
  }
});

t.test('every page and form of another account is none', async (t) => {
  const owner = cell.accounts.owner.id;
  for (const method of ['GET', 'POST'] as const)
    for (const route of listPageRoutes(cell.test, method).filter((one) => one.includes('/:accountId'))) {
      const { url, headers, body } = await prepareRequest(route, 'stranger', cell);
      t.match(url, `/app/${owner}`, route);
      const answer = await cell.test.call(method, url, { headers, body });
      t.equal(answer.status, 404, route);
    }
});

/** Who may use a route. */
function findUser(route: string) {
  return findCaller(route, (status) => status < 400) ?? (route.includes('/staff/') ? 'admin' : 'owner');
}

function isBeforeSignIn({ test }: PageCell, route: string): boolean {
  const found = test.app.declaredRoutes().find(({ method, url }) => `${method} ${url}` === route);
  return found?.access?.who === 'anyone';
}

function formatCookies(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `__Host-${name}=${value}`).join('; ');
}
