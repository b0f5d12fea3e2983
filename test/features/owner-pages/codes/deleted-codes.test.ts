import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { setPackageLimit } from '../../billing/subscriptions/subscription-helper.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

t.test(
  'deleted codes say how long they can be restored, and those that are gone are not listed',
  async (t) => {
    const test = await startTestApp(t);
    const [user, other] = [await test.createUser(), await test.createUser()];
    const { client } = test.database;
    const remove = async (owner: typeof user, title: string, agoMs: number) => {
      const { id } = await createTestCode(test, owner, { title });
      await test.call('DELETE', `/api/qrcodes/${id}`, { token: owner.accessToken });
      const at = new Date(Date.now() - agoMs);
      await client.qrCode.update({ where: { id }, data: { deletedAt: at, updatedAt: at } });
      return id;
    };
    await createTestCode(test, user, { title: 'Kept' });
    const fresh = await remove(user, '<i>"Saw"', HOUR_MS);
    await remove(user, 'Drill', 28 * DAY_MS + HOUR_MS);
    const last = await remove(user, 'Ladder', 29 * DAY_MS + HOUR_MS);
    await remove(other, 'Foreign', HOUR_MS);

    const browser = await signInBrowser(test, user);
    const codes = `/app/${user.id}/codes`;
    await browser.open(codes);
    t.match(browser.main, `href="${codes}/deleted">Deleted codes<`);
    await browser.open(`${codes}/deleted`);
    t.match(browser.page.text, '<bdi>&#60;i&#62;&#34;Saw&#34;</bdi>');
    t.match(
      browser.main,
      /Saw.*Gone for good in 29 days.*Drill.*Gone for good in 1 day<.*Ladder.*Gone for good within a day/s,
    );
    t.notMatch(browser.main, /Kept|Foreign/);
    t.notMatch(browser.main, `href="${codes}/${fresh}"`, 'a deleted code has no page');

    await browser.open(`${codes}/deleted?search=drill`);
    t.match(browser.main, 'Drill');
    t.notMatch(browser.main, 'Ladder');
    await browser.open(`${codes}/deleted?search=nothing`);
    t.match(browser.main, 'No code matches.');

    await browser.open(`${codes}/deleted`);
    await browser.send(`/${last}/restore`);
    t.match(browser.main, 'The code is back.');
    t.notMatch(browser.main, 'Ladder');
    t.match(await client.qrCode.findUnique({ where: { id: last } }), { status: 'ACTIVE', deletedAt: null });
  },
);

t.test('selected codes that the package has no room for stay deleted, and the page says why', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const ids: string[] = [];
  for (const title of ['One', 'Two']) {
    const { id } = await createTestCode(test, user, { title });
    await test.call('DELETE', `/api/qrcodes/${id}`, { token: user.accessToken });
    ids.push(id);
  }
  await setPackageLimit(test, 'FREE', { qrCodes: 1 });
  const browser = await signInBrowser(test, user);
  const path = `/app/${user.id}/codes`;
  await browser.open(`${path}/deleted`);
  const token = /id="selection".*?name="token" value="([^"]*)"/s.exec(browser.page.text)?.[1] ?? '';
  const fields = Object.fromEntries(ids.map((id) => [`code-${id}`, 'on']));
  const body = String(new URLSearchParams({ token, ...fields }));
  await browser.open(`${path}/selected/restore`, { method: 'POST', body });
  t.match(browser.main, '1 code is back.');
  t.match(browser.main, '1 code was left out: your plan doesn’t include that many codes.');
  t.match(browser.main, 'Gone for good');
});
