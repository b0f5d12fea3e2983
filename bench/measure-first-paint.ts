import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage } from '../test/browser.ts';

/** A slow mobile network: 400 kbit/s, as a packet takes 150 ms to the service and back. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const CPU_SLOWDOWN = 4;

/** Measure the first paint on a slow phone (ms). Each run has a browser context of its own: nothing is cached. */
export async function measureSlowFirstPaint(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<number> {
  const page = await openPage(browser, options);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto(address);
  const paint = await readFirstPaint(page);
  await page.context().close();
  return paint;
}

/** Measure the first paint of a page that follows another one (ms), without a slow network. */
export async function measureNextPage(
  browser: Browser,
  [first, next]: readonly [string, string],
  options: BrowserContextOptions = {},
): Promise<number> {
  const page = await openPage(browser, options);
  await page.goto(first);
  await page.goto(next);
  const paint = await readFirstPaint(page);
  await page.context().close();
  return paint;
}

function readFirstPaint(page: Page): Promise<number> {
  return page.evaluate<number>(
    `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntriesByName('first-contentful-paint')[0].startTime))
      .observe({ type: 'paint', buffered: true }))`,
  );
}
