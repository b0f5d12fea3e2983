import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { createOwner } from '../../scripts/screenshots/owner.ts';
import { createKindScreenshots } from '../../scripts/screenshots/pages.ts';
import { launchBrowser, openPage } from '../../test/browser.ts';
import type { OwnBenchmark, RoundOptions } from '../benchmark.ts';
import { alternateSides } from '../measure.ts';
import { measureSlowFirstPaint } from '../measure-first-paint.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import { type BenchedService, runWithService } from '../service-process.ts';
import type { Measurement } from '../table.ts';
import { compareOwnerPages } from './owner-first-paint.ts';

/** The bare page takes 0.4 s on a quiet machine, and a page should be there after a second. */
const MAX_RATIO = 2.5;

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
  const addresses = new Map<string, string>();
  for (const [name, open] of await createKindScreenshots(owner)) {
    const page = await openPage(browser);
    await open(page, owner);
    addresses.set(name, page.url());
    await page.context().close();
  }
  const lines: Measurement[] = [];
  for (const [name, address] of addresses) {
    const results = await alternateSides(options, (side) =>
      measureSlowFirstPaint(browser, side === 'service' ? address : bareAddress),
    );
    const row = `first-paint, ${name}`;
    lines.push({ row, measure: 'first paint', unit: 'ms', ...results, ratioGoal: { max: MAX_RATIO } });
  }
  return [...lines, ...(await compareOwnerPages(options, browser, owner, bareAddress))];
}
