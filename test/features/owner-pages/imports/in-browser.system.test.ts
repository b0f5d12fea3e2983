import { findFreePort } from '../../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../../browser.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createCsv } from '../../codes/import-helper.ts';

t.test(
  '500 rows of a spreadsheet become codes, labels, and a list of some',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const port = await findFreePort();
    const base = `http://127.0.0.1:${port}`;
    const app = await startTestApp(t, { PUBLIC_BASE_URL: base, BILLING: 'off' });
    await app.app.listen({ host: '127.0.0.1', port });
    const user = await app.createUser();
    const open = await openBrowser(t);
    const page = await open({ viewport: { width: 320, height: 640 } });
    const check = async (what: string) => {
      t.same(await findAccessibilityViolations(page), [], what);
      t.ok((await measureHorizontalOverflow(page)) <= 0, `${what}: no horizontal overflow`);
    };
    await page.goto(`${base}/app/sign-in`);
    await page.getByLabel('Email address').fill(user.email);
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.goto(`${base}/app/${user.id}/codes`);
    await page.getByRole('link', { name: 'Import a spreadsheet' }).click();
    await check('upload');

    const csv = createCsv('Name;Chip;Breed;Owner – Name;Phone;Class', 500, (index) =>
      index % 100 === 0
        ? `;${index};Beagle;Ada;;Class ${index % 20}`
        : `Dog ${index};${index};Beagle;Ada;+49 30 12345${index % 10};Class ${index % 20}`,
    );
    await page.getByLabel('What should the code be on?').selectOption('PET');
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'dogs.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByLabel('Chip').selectOption('metadata');
    await page.getByLabel('Class').selectOption('metadata');
    await check('columns');
    await page.getByRole('button', { name: 'Check the rows' }).click();
    await page.getByText('495 new codes').waitFor();
    await check('check');
    await page.getByRole('button', { name: 'Import 495 codes' }).click();
    await page.getByText('The import is finished.').waitFor();
    await check('result');
    for (const field of await page.getByLabel('Name').all()) await field.fill('Found again');
    await page.getByRole('button', { name: 'Check these rows again' }).click();
    await page.getByRole('button', { name: 'Import 5 codes' }).click();
    await page.getByText('5 codes created').waitFor();
    t.equal(await app.database.client.qrCode.count({ where: { accountId: user.id } }), 500);

    await page.goto(`${base}/app/${user.id}/codes`);
    await page.getByRole('link', { name: 'Print labels' }).click();
    await page.getByText('A label for each of 500 codes').waitFor();
    await check('labels');
    await page.getByRole('button', { name: 'Make the PDF' }).click();
    await page.locator('a[download]').waitFor({ timeout: 300_000 });
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')]);
    t.match(download.suggestedFilename(), /\.pdf$/);

    await page.goto(`${base}/app/${user.id}/codes`);
    await page.getByText('Filter and sort').click();
    await page.getByRole('link', { name: 'Filter by your own data' }).click();
    await page.locator('[name=metadata]').selectOption('Class:Class 7');
    await page.getByRole('status').getByText('25 codes').waitFor();
    await check('the codes of a class');
  },
);
