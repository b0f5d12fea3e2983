import { GUEST_BOOK_ENTRY } from '../../../../src/features/memory-tags/index.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { t } from '../../../tap.ts';
import { createSolidPicture } from '../../files/pictures/hostile-pictures.ts';
import { startJourney } from './start-journey.ts';

t.test('a memorial is made, signed by a visitor, and shows it', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const { test, user, base, open, page, check, follow, press, expect } = await startJourney(t);
  await follow('Memorials');
  await follow('Create a memorial');
  await page.getByLabel('Name', { exact: true }).fill('Maria Rossi');
  await page.getByLabel('Born').fill('1931');
  await page.getByLabel('Died').fill('2024-03-05');
  await page.getByLabel('Life story').fill('She baked for the whole street.');
  await page.getByLabel('Visitors can sign a guest book').check();
  await check('the form');
  await press('Create a memorial');
  await expect('The memorial is ready.');

  await follow('Photos');
  const buffer = await createSolidPicture(800, 600).jpeg().toBuffer();
  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles({ name: 'maria.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByLabel('Caption').fill('In the kitchen');
  await press('Add the photo');
  await page.getByRole('img', { name: 'In the kitchen' }).waitFor();
  await check('the photos');

  const { client } = test.database;
  const { id: memoryTagId, qrCodeId } = await client.memoryTag.findFirstOrThrow({
    where: { accountId: user.id },
  });
  const visitor = await open({ locale: 'en' });
  await visitor.goto(`${base}/s/${qrCodeId}`);
  await visitor.getByText('She baked for the whole street.').waitFor();
  await visitor.getByRole('img', { name: 'In the kitchen' }).first().waitFor();
  const entry = { id: generateId(), accountId: user.id };
  const message = 'Your bread is missed.';
  const content = GUEST_BOOK_ENTRY.encrypt(test.services.fieldCipher, entry, { name: 'Leo', message });
  await client.guestBookEntry.create({ data: { ...entry, memoryTagId, content } });

  await follow('Guest book');
  await expect('Your bread is missed.');
  await check('the guest book');
  await press('Show on the page');
  await expect('Shown');
  await visitor.goto(`${base}/s/${qrCodeId}`);
  await visitor.getByText('Your bread is missed.').first().waitFor();
});
