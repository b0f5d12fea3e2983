import type { Browser, BrowserContextOptions } from 'playwright-core';
import { OWNER_SIGN_IN, type ScreenshotOwner } from '../../scripts/screenshots/owner.ts';
import { openPage } from '../../test/browser.ts';
import type { RoundOptions } from '../benchmark.ts';
import { alternateSides, compareWithLimit } from '../measure.ts';
import { measureNextPage, measureSlowFirstPaint } from '../measure-first-paint.ts';
import type { Measurement } from '../table.ts';

const MAX_FIRST_PAINT_MS = 1_500;
const MAX_NEXT_PAGE_MS = 300;

/** More than one page of the table. */
const CODES = 30;

/** Compare the first paint of pages for owners with a limit, and show its ratio to a bare page of the same run. */
export async function compareOwnerPages(
  options: RoundOptions,
  browser: Browser,
  owner: ScreenshotOwner,
  bareAddress: string,
): Promise<Measurement[]> {
  let codeId = '';
  for (let count = 0; count < CODES; count += 1) codeId = await owner.code();
  const { home, storageState } = await signIn(browser, owner);
  const pages: readonly [name: string, address: string, context: BrowserContextOptions][] = [
    ['start', `${owner.base}/`, {}],
    ['sign-up', `${owner.base}/app/sign-up`, {}],
    ['sign-in', `${owner.base}/app/sign-in`, {}],
    ['home', home, { storageState }],
    ['codes', `${home}/codes`, { storageState }],
    ['a code', `${home}/codes/${codeId}`, { storageState }],
  ];
  const lines: Measurement[] = [];
  for (const [name, address, context] of pages) {
    const row = `first-paint, ${name}`;
    const { service, baseline } = await alternateSides(options, (side) =>
      side === 'service'
        ? measureSlowFirstPaint(browser, address, context)
        : measureSlowFirstPaint(browser, bareAddress),
    );
    lines.push({ row, measure: 'against a bare page', unit: 'ms', service, baseline, ratioGoal: null });
    lines.push(
      compareWithLimit({ row, measure: 'against the limit', unit: 'ms' }, service, MAX_FIRST_PAINT_MS),
    );
  }
  for (const [name, address, context] of pages.slice(-2)) {
    const next: number[] = [];
    for (let round = 0; round < options.rounds; round += 1)
      next.push(await measureNextPage(browser, [home, address], context));
    const named = { row: `next page, ${name}`, measure: 'against the limit', unit: 'ms' };
    lines.push(compareWithLimit(named, next, MAX_NEXT_PAGE_MS));
  }
  return lines;
}

async function signIn(browser: Browser, { base }: ScreenshotOwner) {
  const page = await openPage(browser);
  await page.goto(`${base}/app/sign-in`);
  await page.locator('#email').fill(OWNER_SIGN_IN.email);
  await page.locator('#password').fill(OWNER_SIGN_IN.password);
  await page.locator('#password').press('Enter');
  await page.waitForURL(/\/app\/[0-9a-f]{24}$/);
  const signedIn = { home: page.url(), storageState: await page.context().storageState() };
  await page.context().close();
  return signedIn;
}
