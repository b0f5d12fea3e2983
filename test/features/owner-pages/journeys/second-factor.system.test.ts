import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { generateTotpCode, generateUnusedTotpCode } from '../../identity/second-factor/helper.ts';
import { signIn, startJourney } from './start-journey.ts';

t.test('settings: a name, and a second factor with its codes', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const { test, user, base, home, page, check, follow, press, expect } = await startJourney(t);
  await follow('Settings');
  await page.getByLabel('First name').fill('Grace');
  await press('Save');
  await expect('Your profile is saved.');
  await check('the profile');

  await follow('Security');
  await check('the security');
  await follow('Set up a second factor');
  await page.getByLabel('Password').fill(TEST_PASSWORD);
  await press('Go on');
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const secret = await page.locator('[name=secret]').first().inputValue();
  await check('the QR code');
  await page.getByLabel('Six digits').pressSequentially(generateTotpCode(secret));
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  const recoveryCodes =
    ((await page.textContent('main')) ?? '').match(/(?:[0-9a-z]{4}-){5}[0-9a-z]{4}/g) ?? [];
  t.equal(recoveryCodes.length, 10);
  await check('the recovery codes');
  await follow('I’ve saved them, go on');

  const signInAgain = async () => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
    await page.waitForURL(/\/sign-in/);
    await signIn(page, base, user);
    await page.getByLabel('Six digits').waitFor();
    await check('the second step of the sign-in');
  };
  await signInAgain();
  await page.getByLabel('Six digits').pressSequentially(await generateUnusedTotpCode(test, secret));
  await page.waitForURL(home);
  await signInAgain();
  await press('Use a recovery code instead');
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await press('Go on');
  await page.waitForURL(home);
  await page.goto(`${home}/settings/security`);
  await expect('You have 9 recovery codes left.');
});
