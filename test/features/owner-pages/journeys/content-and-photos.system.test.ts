import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { t } from '../../../tap.ts';
import { createSolidPicture } from '../../files/pictures/hostile-pictures.ts';
import { createCode, startJourney } from './start-journey.ts';

t.test('the content of a code gets a photo, and who sees what', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const { test, user, base, home, open, page, check, follow, press, expect } = await startJourney(t);
  const id = await createCode(test, user);
  await page.goto(`${home}/codes`);
  await follow('Rex');
  await follow('Content');
  await page.getByText('More details').click();
  await page.locator('[name="data.breed"]').fill('Beagle');
  await page.locator('[name="data.color"]').fill('Brown and white');
  await page.locator('[name="visibility.color"]').selectOption('PRIVATE');
  await page.frameLocator('iframe[name=preview]').getByText('Beagle').waitFor();
  await press('Save');
  await expect('Saved.');
  await check('the content');

  for (const [name, size] of [
    ['Meadow', 900],
    ['Sofa', 600],
  ] as const) {
    const buffer = await createSolidPicture(size, 600).jpeg().toBuffer();
    await page
      .getByLabel('Photo', { exact: true })
      .setInputFiles({ name: `${name}.jpg`, mimeType: 'image/jpeg', buffer });
    await page.locator('#caption').fill(name);
    await press('Add the photo');
    await page.getByRole('img', { name }).waitFor();
  }
  await expect('The photo is added.');
  await check('the photos');
  await page.getByLabel('Place in the order').last().selectOption('1');
  await press('Save');
  await page.locator('[name="pin"]').fill('2468');
  await press('Set PIN');
  await expect('The PIN is set.');

  const finder = await open({ locale: 'en' });
  await finder.goto(`${base}/s/${id}`);
  await finder.getByText('Beagle').waitFor();
  await finder.getByRole('img', { name: 'Sofa' }).first().waitFor();
  t.equal(await finder.getByText('Brown and white').count(), 0, 'only the owner sees it');
});
