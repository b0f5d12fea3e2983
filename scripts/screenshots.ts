// `npm run screenshots`: take a screenshot of each finder page, from a temporary service.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runWithService } from '../bench/service-process.ts';
import { readCommandArguments } from '../src/shared/command-usage.ts';
import { BROWSER_SKIP_REASON, launchBrowser, openPage } from '../test/browser.ts';
import { createOwner } from './screenshots/owner.ts';
import { createKindScreenshots, STATE_SCREENSHOTS } from './screenshots/pages.ts';

const USAGE = `Usage:
  npm run screenshots               writes them into screenshots/
  npm run screenshots -- <folder>   into another folder
Starts the service on a fresh folder, makes a code of each kind and state, and writes a picture (PNG) of each page that
finders see: ${'`<language>-<light or dark>/<page>.png`'}, 360 pixels wide. Needs the program chromium.`;

const LANGUAGES = ['en', 'de', 'ar', 'ja'];
const SCHEMES = ['light', 'dark'] as const;

const isSingleFolder = (args: readonly string[]) =>
  args.length <= 1 && args.every((word) => !word.startsWith('-'));
const [folder = 'screenshots'] = readCommandArguments(USAGE, isSingleFolder);

process.exitCode = await main();

async function main(): Promise<number> {
  if (BROWSER_SKIP_REASON) {
    console.error(
      `No pictures: ${BROWSER_SKIP_REASON} on this machine. Install Chromium, and see that it is on the PATH.`,
    );
    return 1;
  }
  return runWithService(
    { LOG_LEVEL: 'error' },
    async (service) => {
      const owner = await createOwner(service);
      const browser = await launchBrowser();
      let pictureCount = 0;
      try {
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
              pictureCount += 1;
            }
            console.log(`${folderPath}: ${kinds.length + STATE_SCREENSHOTS.length} pages`);
          }
      } finally {
        await browser.close();
      }
      console.log(`${pictureCount} pictures in ${folder}`);
      return 0;
    },
    false,
  );
}
