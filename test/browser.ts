import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';

const BROWSER_PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

const program = BROWSER_PROGRAMS.map((name) =>
  spawnSync('sh', ['-c', `command -v ${name}`])
    .stdout?.toString()
    .trim(),
).find(Boolean);

/** For a test's `skip`: false, or why it cannot be run here. */
export const BROWSER_SKIP_REASON = program ? false : 'there is no program chromium';

/** Nothing that a browser asks for by itself. */
const QUIET_BROWSER_FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The window of a phone. */
const PHONE_WINDOW = { width: 360, height: 740 };

/** The browser of the system, without a window of its own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: program ?? '',
    // Its sandbox refuses root, who runs tests in containers.
    args: process.getuid?.() === 0 ? [...QUIET_BROWSER_FLAGS, '--no-sandbox'] : QUIET_BROWSER_FLAGS,
  });
}

/** A page of its own in a phone's browser, in a window of 360 pixels unless something else is asked for. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE_WINDOW, ...options });
  return context.newPage();
}

/** Opens such pages in a browser that ends with the test. */
export async function openBrowser(t: Test): Promise<(options?: BrowserContextOptions) => Promise<Page>> {
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  return (options) => openPage(browser, options);
}

const AXE_SOURCE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2 AA, and what is good practice besides. */
const AXE_RULE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What a page has against WCAG 2.2 AA, as axe finds it: the rule and where. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  // Not by a script element: the policy of the page forbids it, and is not to be bent.
  await page.evaluate(AXE_SOURCE);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(AXE_RULE_TAGS)}, resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** How far a page reaches beyond the window sideways, in pixels: nobody should have to scroll that way. */
export function measureHorizontalOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
