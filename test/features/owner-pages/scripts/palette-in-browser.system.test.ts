import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { t } from '../../../tap.ts';
import { listRefusals } from '../browser-refusals.ts';
import { startBrowser } from './start-browser.ts';

t.test('the palette leads to pages and codes with the keyboard', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const { test, user, path, open, signIn, createCode, listProblems } = await startBrowser(t);
  const id = await createCode({ kind: 'PET', title: 'Rex <b>the dog</b>', data: { name: 'Rex' } });
  await createCode({ kind: 'LUGGAGE', title: 'Suitcase', data: { name: 'Suitcase' } });
  const page = await open({ viewport: { width: 320, height: 640 } });
  const refusals = listRefusals(page);
  await signIn(page);
  const field = page.getByRole('combobox', { name: 'Page, or title or number of a code' });
  const chosen = page.locator('[role=option][aria-selected=true]');
  const openPalette = async () => {
    await page.keyboard.press('Control+k');
    await chosen.waitFor();
  };

  for (const language of ['en', 'ar']) {
    await test.database.client.user.update({ where: { id: user.id }, data: { language } });
    await page.goto(`${path}/codes`);
    await openPalette();
    t.same(await listProblems(page), [], language);
    await page.keyboard.press('Escape');
    t.equal(await page.locator('dialog[open]').count(), 0);
  }
  await test.database.client.user.update({ where: { id: user.id }, data: { language: 'en' } });

  await page.goto(`${path}/inbox`);
  t.notOk(
    await page.getByRole('button', { name: 'Go to…' }).isVisible(),
    'a narrow window has no room for it',
  );
  await page.setViewportSize({ width: 1280, height: 640 });
  await page.getByRole('button', { name: 'Go to…' }).focus();
  await page.keyboard.press('Enter');
  await field.pressSequentially('rex');
  await page.getByRole('option', { name: 'Mark Rex <b>the dog</b> as lost' }).waitFor();
  t.equal(await field.getAttribute('aria-activedescendant'), await chosen.getAttribute('id'));
  t.same(await listProblems(page), []);
  await page.keyboard.press('Escape');
  t.match(await page.evaluate('document.activeElement.textContent'), 'Go to…', 'the focus returns');
  await openPalette();
  await page.getByRole('option', { name: 'as lost' }).waitFor();
  await page.keyboard.press('ArrowDown');
  t.match(await chosen.textContent(), 'as lost');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${path}/codes/${id}/lost`);
  await page.getByRole('button', { name: 'Report as lost' }).waitFor();

  await openPalette();
  await field.fill('zzzz');
  await page.getByRole('status').getByText('Nothing found.').waitFor();
  await page.keyboard.press('Enter');
  await field.fill('suitcase');
  await page.getByRole('option', { name: 'Suitcase' }).first().click();
  await page.waitForURL(/\/codes\/[0-9a-f]{24}$/);
  t.same(refusals, []);
});
