import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';

/** The first one is Chromium without windows, which takes half the time. */
const BROWSER_PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

const program = BROWSER_PROGRAMS.map((name) =>
  spawnSync('sh', ['-c', `command -v ${name}`])
    .stdout?.toString()
    .trim(),
).find(Boolean);

/** For the `skip` option of a test: false, or the reason. */
export const BROWSER_SKIP_REASON = program ? false : 'there is no program chromium';

/** Disable all requests that a browser sends by itself. */
const QUIET_BROWSER_FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const PHONE_WINDOW = { width: 360, height: 740 };

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: program ?? '',
    // Chromium's sandbox refuses to run as root, as in containers.
    args: process.getuid?.() === 0 ? [...QUIET_BROWSER_FLAGS, '--no-sandbox'] : QUIET_BROWSER_FLAGS,
  });
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE_WINDOW, ...options });
  return context.newPage();
}

export async function openBrowser(t: Test): Promise<(options?: BrowserContextOptions) => Promise<Page>> {
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  return (options) => openPage(browser, options);
}

const AXE_SOURCE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const AXE_RULE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Find violations of WCAG 2.2 AA with axe: rule and element. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  // Not by a script element, which the content security policy forbids.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE_SOURCE);
  // Buttons that stay in reach cover what is behind them until the end of the page.
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(AXE_RULE_TAGS)}, resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Measure by how many pixels a page is wider than the window. */
export function measureHorizontalOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Press the button that unfolds a form of a finder page, such as `#write`. */
export async function unfoldForm(page: Page, form: string): Promise<void> {
  if (!(await page.locator(form).isVisible())) await page.locator(`a[href="${form}"]`).click();
}
