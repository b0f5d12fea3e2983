import type { Test } from 'tap';
import { type CallerName, createCallerAccounts } from '../../../access/callers.ts';
import { findCaller, prepareRequestAs } from '../../../access/prepare-request.ts';
import { createTestResources } from '../../../access/test-resources.ts';
import { startTestApp, type TestApp } from '../../../helper.ts';
import { createFakeProvider } from '../../billing/payments/fake-provider.ts';
import { setPackageLimit } from '../../billing/subscriptions/subscription-helper.ts';
import { HOSTILE_CONTENTS, HOSTILE_TEXTS } from './hostile-texts.ts';
import { createPageFixtures, NO_PAGES, type PageCell, type PageVisit } from './page-fixtures.ts';

/** Start the service with accounts of all kinds, and one of them with a code in each state and hostile texts. */
export async function startPages(t: Test, environment: Record<string, string> = {}): Promise<PageCell> {
  const payments = createFakeProvider();
  const test = await startTestApp(t, environment, { payments: payments.provider });
  const accounts = await createCallerAccounts(test);
  await setPackageLimit(test, 'FREE', { qrCodes: 1_000 });
  const { firstName, lastName } = HOSTILE_TEXTS;
  await test.database.client.user.update({ where: { id: accounts.owner.id }, data: { firstName, lastName } });
  const things = createTestResources(test, accounts.owner, HOSTILE_CONTENTS);
  return { test, accounts, payments, things };
}

/** List the operations below /app, as `GET /app/:accountId`. */
export function listPageRoutes({ app }: TestApp, method: 'GET' | 'POST'): string[] {
  const urls = app
    .declaredRoutes()
    .filter((route) => route.method === method && /^\/app(\/|$)/.test(route.url))
    .map(({ url }) => `${method} ${url}`);
  // A script sends the photo, which changes nothing.
  return [...new Set(urls)].filter((name) => !name.endsWith('.js') && !name.endsWith('/read-photo'));
}

export interface ListedPage extends PageVisit {
  route: string;
}

/**
 * Prepare a visit of every page: by a fixture of its own, else by the request of the access matrix.
 * @throws for a route that neither leads to a page nor is known as none
 */
export async function listPages(cell: PageCell): Promise<ListedPage[]> {
  const fixtures = createPageFixtures(cell);
  const pages: ListedPage[] = [];
  for (const route of listPageRoutes(cell.test, 'GET')) {
    if (NO_PAGES.includes(route)) continue;
    const visit = await (fixtures[route]?.() ?? visitAllowedPage(route, cell));
    pages.push({ route, ...visit });
  }
  return pages;
}

/** @throws for an operation without a row in the access matrix */
export async function prepareRequest(route: string, caller: CallerName, cell: PageCell) {
  const request = await prepareRequestAs(caller, route, cell);
  if (!request) throw new Error(`${route} has no row in the access matrix.`);
  const { url, query, ...options } = request;
  return { ...options, url: query ? `${url}?${query}` : url };
}

async function visitAllowedPage(route: string, cell: PageCell): Promise<PageVisit> {
  const caller = findCaller(route, (status) => status === 200);
  if (caller === undefined)
    throw new Error(`${route} needs a fixture: nobody gets a page by the access matrix.`);
  const { url, headers = {} } = await prepareRequest(route, caller, cell);
  return { path: url, status: 200, cookies: parseCookies(headers.cookie ?? '') };
}

/** By their names without the prefix that they have with https. */
function parseCookies(header: string): Map<string, string> {
  return new Map(
    header.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.replace('__Host-', ''), value.join('=')] as const;
    }),
  );
}
