import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { generateId } from '../../../../src/shared/ids.ts';
import { findFreePort } from '../../../../src/start/find-free-port.ts';
import { openBrowser } from '../../../browser.ts';
import { createPageChecker } from './check-page.ts';
import type { PageCell } from './page-fixtures.ts';
import { type ListedPage, listPages, startPages } from './page-routes.ts';
import { listSettings, type PageSetting } from './page-settings.ts';

interface WalkResult {
  setting: string;
  pages: number;
  problems: number;
  seconds: number;
}

/** Open each page of these routes in each setting of this run, and check it. */
export async function walkPages(t: Test, isWanted: (route: string) => boolean): Promise<void> {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const cell = await startPages(t, { PUBLIC_BASE_URL: base });
  await cell.test.app.listen({ host: '127.0.0.1', port });
  const open = await openBrowser(t);
  const pages = (await listPages(cell)).filter(({ route }) => isWanted(route));
  const results: WalkResult[] = [];
  for (const setting of listSettings())
    await t.test(setting.name, async (t) => {
      const startedAt = performance.now();
      await prepareAccounts(cell, setting);
      const page = await open(setting.options);
      const check = createPageChecker(page, { hasScript: setting.options.javaScriptEnabled !== false });
      let problems = 0;
      for (const listed of pages) {
        await setCookies(page, base, listed);
        const found = await check(`${base}${listed.path}`, listed.status);
        t.same(found, [], `${listed.route} in ${setting.name}`);
        problems += found.length;
      }
      await page.context().close();
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      results.push({ setting: setting.name, pages: pages.length, problems, seconds });
    });
  if (process.env.PAGES) process.stderr.write(`${formatResults(results)}\n`);
}

/** Before a sign-in the browser chooses the language. */
async function prepareAccounts(
  { test }: PageCell,
  { language, hasSecondFactor }: PageSetting,
): Promise<void> {
  const { client } = test.database;
  await client.user.updateMany({ data: { language } });
  if (!hasSecondFactor) return;
  const users = await client.user.findMany({
    where: { secondFactor: null, status: 'ACTIVE' },
    select: { id: true },
  });
  const secret = Buffer.alloc(64);
  await client.secondFactor.createMany({
    data: users.map(({ id: userId }) => ({ userId, secret, confirmedAt: new Date(), lastStep: 0 })),
  });
  await client.recoveryCode.createMany({
    data: users.map(({ id: userId }) => ({ userId, codeHash: Buffer.from(generateId()) })),
  });
}

async function setCookies(page: Page, url: string, { cookies }: ListedPage): Promise<void> {
  const context = page.context();
  await context.clearCookies();
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
}

function formatResults(results: readonly WalkResult[]): string {
  const rows = results.map(
    ({ setting, pages, problems, seconds }) =>
      `${setting.padEnd(24)} ${String(pages).padStart(5)} ${String(problems).padStart(8)} ${String(seconds).padStart(7)}`,
  );
  return [`${'setting'.padEnd(24)} pages problems seconds`, ...rows].join('\n');
}
