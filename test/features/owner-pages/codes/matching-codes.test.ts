import type { Test } from 'tap';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

async function startMatching(t: Test) {
  const test = await startTestApp(t);
  const [user, other] = [await test.createUser(), await test.createUser()];
  const browser = await signInBrowser(test, user);
  const codes = `/app/${user.id}/codes`;
  const create = async (owner: typeof user, site: string, status = 'ACTIVE') => {
    const { id } = await createTestCode(test, owner, { title: `${site} tag`, metadata: { site } });
    await test.database.client.qrCode.update({ where: { id }, data: { status } });
    return id;
  };
  const listStatuses = async (ids: readonly string[]) => {
    const rows = await test.database.client.qrCode.findMany({ where: { id: { in: [...ids] } } });
    return ids.map((id) => rows.find((row) => row.id === id)?.status);
  };
  return { test, user, other, browser, codes, create, listStatuses };
}

t.test(
  'all codes that match are paused, resumed, changed and deleted, on every page of the list',
  async (t) => {
    const { test, user, other, browser, codes, create, listStatuses } = await startMatching(t);
    const ids: string[] = [];
    for (let number = 0; number < 27; number += 1) ids.push(await create(user, 'Berlin'));
    const lost = await create(user, 'Berlin', 'LOST');
    const rome = await create(user, 'Rome');
    const foreign = await create(other, 'Berlin');
    const others = [lost, rome, foreign];

    await browser.open(`${codes}?metadata=site%3ABerlin`);
    t.match(browser.main, `href="${codes}/matching?metadata=site%3ABerlin">Change all 28 codes that match`);
    await browser.open(`${codes}/matching?metadata=site%3ABerlin`);
    t.match(browser.main, '<h1>Change 28 codes</h1>');
    t.match(browser.main, 'Pause 27 active codes');
    t.notMatch(browser.main, 'Turn on', 'none is paused');
    await browser.send('/matching/pause');
    t.match(browser.main, '27 codes are paused.');
    t.same(new Set(await listStatuses(ids)), new Set(['PAUSED']));
    t.same(await listStatuses(others), ['LOST', 'ACTIVE', 'ACTIVE'], 'a lost code stays lost');
    await browser.open(`${codes}/matching?metadata=site%3ABerlin`);
    await browser.send('/matching/resume');
    t.match(browser.main, '27 codes are active again.');

    await browser.open(`${codes}/matching?metadata=site%3ABerlin`);
    await browser.send('/matching/change', { change: 'notifications', notifyOn: 'NEVER' });
    t.match(browser.main, '28 codes are changed.');
    await browser.open(`${codes}/matching?metadata=site%3ABerlin`);
    await browser.send('/matching/change', { change: 'metadata', key: 'batch', value: '7' });
    const rows = await test.database.client.qrCode.findMany({ where: { id: { in: [...ids, ...others] } } });
    t.equal(rows.filter(({ notifyOn }) => notifyOn === 'NEVER').length, 28);
    t.equal(rows.filter(({ metadata }) => Object(metadata).batch === '7').length, 28);

    await browser.open(`${codes}/matching?metadata=site%3ABerlin&status=LOST`);
    t.match(browser.main, '<h1>Change 1 code</h1>');
    t.notMatch(browser.main, '/matching/pause');
    await browser.open(`${codes}/matching?metadata=site%3ABerlin&status=ACTIVE`);
    await browser.send('/matching/delete');
    t.match(browser.main, '27 codes are deleted.');
    t.same(new Set(await listStatuses(ids)), new Set(['DELETED']));
    t.same(await listStatuses(others), ['LOST', 'ACTIVE', 'ACTIVE']);
  },
);

t.test('nothing is done to other codes than those that were counted', async (t) => {
  const { user, other, browser, codes, create, listStatuses } = await startMatching(t);
  const first = await create(user, 'Berlin');
  await browser.open(`${codes}/matching?metadata=site%3ABerlin`);
  const second = await create(user, 'Berlin');
  await browser.send('/matching/delete');
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Other codes match by now.');
  t.match(browser.main, '<h1>Change 2 codes</h1>');
  t.same(await listStatuses([first, second]), ['ACTIVE', 'ACTIVE']);
  await browser.send('/matching/delete', { metadata: '' });
  t.match(browser.main, '2 codes are deleted.', 'the same codes, however they were found');
  const wrong: Record<string, string>[] = [{ matching: '' }, { matching: 'x', search: '<b>' }];
  for (const fields of wrong) {
    const third = await create(user, 'Berlin');
    await browser.open(`${codes}/matching?metadata=site%3ABerlin`);
    await browser.send('/matching/delete', fields);
    t.equal(browser.page.status, 409);
    t.notMatch(browser.page.text, '<b>');
    t.same(await listStatuses([third]), ['ACTIVE']);
  }
  await browser.open(`${codes}/matching`);
  await browser.send('/matching/change', { change: 'page', accentColor: 'red' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="accentColor-error"');
  await browser.open(`${codes}/matching?search=nothing%20like%20it`);
  t.match(browser.main, 'No code matches.');
  await browser.open(`/app/${other.id}/codes/matching`);
  t.equal(browser.page.status, 404);
});
