import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { createOwner } from '../../scripts/screenshots/owner.ts';
import { createKindScreenshots } from '../../scripts/screenshots/pages.ts';
import { launchBrowser, openPage } from '../../test/browser.ts';
import type { OwnBenchmark, RoundOptions } from '../benchmark.ts';
import { alternateSides } from '../measure.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import { type BenchedService, runWithService } from '../service-process.ts';
import type { Measurement } from '../table.ts';

/** A slow mobile network: 400 kbit/s, as a packet takes 150 ms to the service and back. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const CPU_SLOWDOWN = 4;
/** The bare page takes 0.4 s on a quiet machine, and a page should be there after a second. */
const MAX_RATIO = 2.5;

/** Of pages for owners, those before a sign-in. */
const OWNER_PAGES = ['sign-up', 'sign-in'];

const BARE_PAGE = '<!doctype html><title>Bare</title><p>Bare';

/** Compare the first paint of each finder page, and of pages for owners, on a slow phone with a bare page. Needs the program chromium. */
export const firstPaintBenchmark: OwnBenchmark = {
  world: 'OWN',
  async measure(options) {
    const browser = await launchBrowser();
    const bareServer = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(BARE_PAGE);
    });
    await new Promise<void>((resolve) => bareServer.listen(0, '127.0.0.1', resolve));
    const bareAddress = `http://127.0.0.1:${(bareServer.address() as AddressInfo).port}/`;
    const clean = async () => {
      bareServer.close();
      await browser.close();
    };
    return runWithCleanUp(clean, () =>
      runWithService({ LOG_LEVEL: 'error' }, (service) =>
        comparePages(options, browser, service, bareAddress),
      ),
    );
  },
};

async function comparePages(
  options: RoundOptions,
  browser: Browser,
  service: BenchedService,
  bareAddress: string,
): Promise<Measurement[]> {
  const owner = await createOwner(service);
  const addresses = new Map(OWNER_PAGES.map((name) => [name, `${service.base}/app/${name}`]));
  for (const [name, open] of await createKindScreenshots(owner)) {
    const page = await openPage(browser);
    await open(page, owner);
    addresses.set(name, page.url());
    await page.context().close();
  }
  const lines: Measurement[] = [];
  for (const [name, address] of addresses) {
    const results = await alternateSides(options, (side) =>
      measureFirstPaint(browser, side === 'service' ? address : bareAddress),
    );
    const row = `first-paint, ${name}`;
    lines.push({ row, measure: 'first paint', unit: 'ms', ...results, ratioGoal: { max: MAX_RATIO } });
  }
  return lines;
}

/** Each run has a browser context of its own: nothing is cached. */
async function measureFirstPaint(browser: Browser, address: string): Promise<number> {
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
  await page.context().close();
  return paint;
}
