import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { PHONE_USER_AGENT } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createCode, startJourney } from './start-journey.ts';

t.test('scans become a report, a file, and a weekly email', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const { test, user, home, page, check, follow, press, expect } = await startJourney(t);
  const id = await createCode(test, user);
  const headers = { 'user-agent': PHONE_USER_AGENT };
  for (const remoteAddress of ['198.51.100.1', '198.51.100.2'])
    await test.call('POST', '/api/scans/public', { body: { qrCodeId: id }, headers, remoteAddress });
  await page.goto(`${home}/codes/${id}/scans`);
  await follow('Reports');
  await check('the reports');
  await follow('The last 7 days');
  await page.getByText('Rex').first().waitFor();
  await page.goBack();
  const csv = page.getByRole('link', { name: 'Scans as CSV The last 7 days' });
  const [download] = await Promise.all([page.waitForEvent('download'), csv.click()]);
  t.equal(download.suggestedFilename(), 'scans.csv');
  await page.getByLabel('How often').selectOption('MONTHLY');
  await press('Save');
  await expect('The next one comes on');
  await check('a report by email');
  await press('Send no more reports');
  await expect('Reports by email');
  t.equal(await test.database.client.reportSchedule.count(), 0);
});
