import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signIn } from '../settings/helper.ts';

t.test('events are listed newest first, by type and page by page, as webhooks send them', async (t) => {
  const app = await startTestApp(t);
  const [user, other] = [await app.createUser(), await app.createUser()];
  const browser = await signIn(app, user);
  const path = `/app/${user.id}/developers/events`;
  await browser.open(path);
  t.match(browser.main, 'Nothing has happened');
  const ids: string[] = [];
  for (let count = 0; count < 27; count++) ids.push((await createTestCode(app, user)).id);
  await createTestCode(app, other);

  await browser.open(path);
  const listIds = () =>
    [...browser.main.matchAll(/"data": \{\s*"id": "([0-9a-f]{24})"/g)].map(([, id]) => id);
  const first = listIds();
  t.equal(first.length, 25);
  const older = /rel="next" href="([^"]*)"/.exec(browser.main)?.[1];
  await browser.open(String(older));
  t.same([...first, ...listIds()].toSorted(), ids.toSorted());
  const newer = /rel="prev" href="([^"]*)"/.exec(browser.main)?.[1];
  await browser.open(String(newer));
  t.same(listIds(), first);
  await browser.open(`${path}?type=code.lost`);
  t.match(browser.main, 'Nothing has happened');
  await browser.open(`${path}?type=code.created`);
  t.equal(listIds().length, 25);
  await browser.open(`${path}?type=%3Cb%3E`);
  t.equal(listIds().length, 25, 'an unknown type is as if it were missing');
});
