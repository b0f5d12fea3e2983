// Take a screenshot of each finder page, from a temporary service, and of each mail.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type BenchedService, runWithService } from '../bench/service-process.ts';
import { loadConfig } from '../src/config.ts';
import { readCommandArguments } from '../src/shared/command-usage.ts';
import { LOCALES } from '../src/shared/i18n/locales.ts';
import { BROWSER_SKIP_REASON, launchBrowser, openPage } from '../test/browser.ts';
import { renderExampleMails } from './screenshots/mails.ts';
import { createOwner } from './screenshots/owner.ts';
import { createKindScreenshots, STATE_SCREENSHOTS } from './screenshots/pages.ts';

const USAGE = `Usage:
  npx tsx scripts/screenshots.ts                     writes them into screenshots/
  npx tsx scripts/screenshots.ts <folder>            into another folder
  npx tsx scripts/screenshots.ts --mails [<folder>]  only the mails, which need no service
Starts the service on a fresh folder, makes a code of each kind and state, and writes a picture (PNG) of each page that
finders see: ${'`<language>-<light or dark>/<page>.png`'}, 360 pixels wide. Then each mail, 360 and 600 pixels wide:
${'`<language>-<light or dark>/mails/<mail>-<width>.png`'}. Needs the program chromium.`;

const LANGUAGES = ['en', 'de', 'ar', 'ja'];
const SCHEMES = ['light', 'dark'] as const;
const MAIL_WIDTHS = [360, 600];

const args = readCommandArguments(USAGE, (words) => {
  const [folder, ...others] = words.filter((word) => word !== '--mails');
  return !folder?.startsWith('-') && others.length === 0;
});
const showsOnlyMails = args.includes('--mails');
const folder = args.find((word) => word !== '--mails') ?? 'screenshots';

process.exitCode = await main();

async function main(): Promise<number> {
  if (BROWSER_SKIP_REASON) {
    console.error(
      `No pictures: ${BROWSER_SKIP_REASON} on this machine. Install Chromium, and see that it is on the PATH.`,
    );
    return 1;
  }
  const browser = await launchBrowser();
  try {
    if (!showsOnlyMails)
      await runWithService({ LOG_LEVEL: 'error' }, (service) => writePagePictures(browser, service));
    await writeMailPictures(browser);
  } finally {
    await browser.close();
  }
  return 0;
}

async function writePagePictures(browser: Browser, service: BenchedService): Promise<void> {
  const owner = await createOwner(service);
  const kinds = await createKindScreenshots(owner);
  for (const locale of LANGUAGES)
    for (const colorScheme of SCHEMES) {
      const folderPath = join(folder, `${locale}-${colorScheme}`);
      await mkdir(folderPath, { recursive: true });
      for (const [name, open] of [...kinds, ...STATE_SCREENSHOTS]) {
        const page = await openPage(browser, { locale, colorScheme });
        await open(page, owner);
        await page.screenshot({ path: join(folderPath, `${name}.png`), fullPage: true });
        await page.context().close();
      }
      console.log(`${folderPath}: ${kinds.length + STATE_SCREENSHOTS.length} pages`);
    }
}

async function writeMailPictures(browser: Browser): Promise<void> {
  const { brand } = loadConfig({});
  for (const language of LANGUAGES)
    for (const colorScheme of SCHEMES) {
      const folderPath = join(folder, `${language}-${colorScheme}`, 'mails');
      await mkdir(folderPath, { recursive: true });
      const locale = LOCALES.get(language);
      const mails = locale ? renderExampleMails(brand, locale) : [];
      for (const width of MAIL_WIDTHS) {
        // Only as high as the mail.
        const page = await openPage(browser, { colorScheme, viewport: { width, height: 100 } });
        for (const { name, html } of mails) {
          await page.setContent(html);
          await page.screenshot({ path: join(folderPath, `${name}-${width}.png`), fullPage: true });
        }
        await page.context().close();
      }
      console.log(`${folderPath}: ${mails.length} mails`);
    }
}
