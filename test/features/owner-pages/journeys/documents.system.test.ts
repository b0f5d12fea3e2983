import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { t } from '../../../tap.ts';
import { createTestPdf } from '../../documents/upload.ts';
import { startJourney } from './start-journey.ts';

t.test('a document is kept, shared for a day, and no longer', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const { open, page, check, follow, press, expect } = await startJourney(t);
  await follow('Documents');
  await check('no documents');
  await follow('Add a document');
  const file = { name: 'lease.pdf', mimeType: 'application/pdf', buffer: createTestPdf('first') };
  await page.getByLabel('File').setInputFiles(file);
  await page.getByLabel('Title', { exact: true }).fill('Lease of the flat');
  await page.getByLabel('Note').fill('The original is in the safe.');
  await press('Upload');
  await expect('The document is saved, encrypted.');
  await check('a document');

  await press('Share for a day');
  const link = (await page.locator('#link').textContent()) ?? '';
  await check('a link');
  const reader = await open({ locale: 'en' });
  const response = await reader.goto(link);
  t.equal(response?.status(), 200);
  await reader.getByText('Continue').click();
  await reader.getByText('Lease of the flat').first().waitFor();
  const [download] = await Promise.all([
    reader.waitForEvent('download'),
    reader.locator('main button, a.act').first().click(),
  ]);
  t.match(download.suggestedFilename(), /\.pdf$/);

  await follow('Documents');
  await follow('Lease of the flat');
  await expect('Opened once.');
  await follow('Who opened it');
  await expect('Somebody with a link');
  await check('who opened it');
  await follow('Share');
  await press('End link');
  await expect('The link no longer works.');
  await reader.goto(link);
  await reader.getByText('Continue').click();
  await reader.getByText('This link is incomplete or was turned off.').waitFor();

  await follow('Versions');
  await follow('Upload a new version');
  await page.getByLabel('File').setInputFiles({ ...file, buffer: createTestPdf('second') });
  await press('Upload');
  await expect('The new version is saved.');
  await check('the versions');
});
