import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { findAccessibilityViolations, measureHorizontalOverflow } from '../../../browser.ts';
import { listRefusals, withoutScriptsOfFrames } from '../browser-refusals.ts';

const MAX_HTML_BYTES = 30_000;
const MAX_SCRIPT_BYTES = 25_000;

/** Watch what a page of a browser loads, and find what is wrong with each page that it opens. */
export function createPageChecker(page: Page, { hasScript }: { hasScript: boolean }) {
  const refusals = listRefusals(page);
  let requests: string[] = [];
  let scripts: Promise<number>[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body().then(measureGzip));
  });

  /** Open a page, and list its problems. */
  return async (url: string, status: number): Promise<string[]> => {
    requests = [];
    scripts = [];
    refusals.length = 0;
    const response = await page.goto(url);
    if (response?.status() !== status) return [`status ${response?.status()} in place of ${status}`];
    const { origin } = new URL(url);
    const htmlBytes = measureGzip(await response.body());
    const scriptBytes = (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0);
    const headings = await page.locator('h1').count();
    const overflow = await measureHorizontalOverflow(page);
    const violations = hasScript ? await findAccessibilityViolations(page) : [];
    return [
      ...violations,
      ...(await page.evaluate<string[]>(FIND_HOSTILE_PARTS)),
      ...(overflow > 0 ? [`wider than the window by ${overflow} px`] : []),
      ...(headings === 1 ? [] : [`${headings} headings h1`]),
      ...((await page.title()).trim() ? [] : ['no title']),
      ...(htmlBytes <= MAX_HTML_BYTES ? [] : [`${htmlBytes} bytes of HTML`]),
      ...(scriptBytes <= MAX_SCRIPT_BYTES ? [] : [`${scriptBytes} bytes of scripts`]),
      ...requests.filter((one) => !isOwn(one, origin)).map((one) => `request to ${one}`),
      ...withoutScriptsOfFrames(refusals),
    ];
  };
}

/** Elements that a hostile text became, its script that ran, and directions that run on into other text. */
const FIND_HOSTILE_PARTS = `(() => {
  const elements = document.querySelectorAll('.hostile,[onclick],[onmouseover],[href^="javascript:" i]');
  const problems = [...elements].map(({ outerHTML }) => 'hostile element ' + outerHTML.slice(0, 200));
  if ('hostile' in window) problems.push('a script of a hostile text ran');
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!data.includes('\u202e') || parentElement.closest('bdi,[dir=auto],textarea,script')) continue;
    if (getComputedStyle(parentElement).unicodeBidi !== 'plaintext')
      problems.push('without a direction of its own: ' + parentElement.outerHTML.slice(0, 200));
  }
  return problems;
})()`;

/** Compressed, as a proxy sends it. */
function measureGzip(body: Buffer): number {
  return gzipSync(body).length;
}

function isOwn(url: string, origin: string): boolean {
  return url.startsWith(`${origin}/`) || /^(?:data|blob|about):/.test(url);
}
