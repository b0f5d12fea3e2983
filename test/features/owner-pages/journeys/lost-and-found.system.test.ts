import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { PHONE_USER_AGENT } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createCode, startJourney } from './start-journey.ts';

t.test('a dog is lost, somebody writes, and it is back', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const journey = await startJourney(t);
  const { test, user, base, home, open, page, check, follow, press, expect } = journey;
  const id = await createCode(test, user);
  await follow('Lost and found');
  await press('I lost it');
  await expect('Marked as lost. Its page now says so first.');
  await check('a code that is lost');
  await follow('Change lost notice');
  await page.getByLabel('Reward, such as “50 euros” (optional)').fill('50 EUR');
  await page.getByLabel('Where you last saw it (optional)').fill('At the lake');
  await check('the notice');
  await press('Save');
  await expect('50 EUR');

  const finder = await open({ locale: 'en' });
  await finder.goto(`${base}/s/${id}`);
  await finder.getByText('Found Rex? Please tell the owner.').waitFor();
  await finder.getByText('50 EUR').waitFor();
  const headers = { 'user-agent': PHONE_USER_AGENT };
  const { body: scanned } = await test.call('POST', '/api/scans/public', { body: { qrCodeId: id }, headers });
  const { status } = await test.call('POST', '/api/conversations/public', {
    body: { scanId: scanned.scan.id, preset: 'ANIMAL_FOUND', name: 'Eva' },
    headers: { ...headers, 'x-scan-token': scanned.scanToken },
  });
  t.equal(status, 201);

  await page.goto(home);
  await follow('Open inbox');
  await page.getByRole('link', { name: /Rex/ }).first().click();
  await expect('Your pet is with me.');
  await press('I’m on my way.');
  await page.locator('#thread').getByText('I’m on my way.').waitFor();
  await check('the conversation');

  await page.goto(home);
  await check('what is lost on the first page');
  await press('It’s back');
  await expect('The lost notice is down.');
  await finder.reload();
  t.equal(await finder.getByText('Found Rex? Please tell the owner.').count(), 0);
  await press('Undo');
  await expect('Marked as lost again.');
});
