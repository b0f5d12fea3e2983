// Measure the first paint of each finder page on a slow phone, against the bare title of a page from the same server:
// `npm run bench:first-paint` (needs the program chromium)
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { createOwner } from '../scripts/screenshots/owner.ts';
import { createKindScreenshots } from '../scripts/screenshots/pages.ts';
import { launchBrowser, openPage } from '../test/browser.ts';
import { readArguments } from './read-arguments.ts';
import { runWithService } from './service-process.ts';

readArguments(import.meta.url);

/** A slow mobile network: 400 kbit/s, as a packet takes 150 ms to the service and back. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const CPU_SLOWDOWN = 4;
const GOAL_MS = 1_000;
const RUNS = 5;

const BARE_PAGE = '<!doctype html><title>Bare</title><p>Bare';

process.exitCode = await main();

async function main(): Promise<number> {
  const browser = await launchBrowser();
  const bareServer = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(BARE_PAGE);
  });
  await new Promise<void>((resolve) => bareServer.listen(0, '127.0.0.1', resolve));
  const { port } = bareServer.address() as AddressInfo;
  try {
    return await runWithService({ LOG_LEVEL: 'error' }, async (service) => {
      const owner = await createOwner(service);
      const bareMs = await measureMedian(browser, `http://127.0.0.1:${port}/`);
      console.log(
        `median of ${RUNS} first paints in ms; the bare page: ${bareMs.toFixed(0)}; goal: ${GOAL_MS}`,
      );
      let slow = 0;
      for (const [name, open] of await createKindScreenshots(owner)) {
        const page = await openPage(browser);
        await open(page, owner);
        const address = page.url();
        await page.context().close();
        const median = await measureMedian(browser, address);
        if (median > GOAL_MS) slow += 1;
        console.log(name.padEnd(24), median.toFixed(0).padStart(6), `${(median / bareMs).toFixed(1)} times`);
      }
      return slow === 0 ? 0 : 1;
    });
  } finally {
    bareServer.close();
    await browser.close();
  }
}

/** Each run has a browser context of its own: nothing is cached. */
async function measureMedian(browser: Browser, address: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const page = await openPage(browser);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(address);
    const paint = await page.evaluate<number>(
      `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime))
        .observe({ type: 'paint', buffered: true }))`,
    );
    times.push(paint);
    await page.context().close();
  }
  return times.sort((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0;
}
