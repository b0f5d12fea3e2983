import { parseSelectedChange } from '../../../../src/features/owner-pages/codes/selected-change.rules.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { addSubscription } from '../../billing/subscriptions/subscription-helper.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

t.test('expiry, notifications and own data of selected codes are changed together', async (t) => {
  const test = await startTestApp(t);
  const [user, other] = [await test.createUser(), await test.createUser()];
  const full = Object.fromEntries(Array.from({ length: 50 }, (_, number) => [`key${number}`, 'x']));
  const ids: string[] = [];
  for (const metadata of [{}, { site: 'Rome' }, full])
    ids.push((await createTestCode(test, user, { metadata })).id);
  const foreign = await createTestCode(test, other);
  const browser = await signInBrowser(test, user);
  const codes = `/app/${user.id}/codes`;
  const page = `${codes}/selected?ids=${[...ids, foreign.id].join(',')}`;
  const read = () =>
    Promise.all(ids.map((id) => test.database.client.qrCode.findUniqueOrThrow({ where: { id } })));
  const send = async (fields: Record<string, string>) => {
    await browser.open(page);
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(browser.page.text) ?? [];
    const [, selected = ''] = /name="ids" value="([^"]*)"/.exec(browser.page.text) ?? [];
    const body = String(new URLSearchParams({ token, ids: selected, ...fields }));
    await browser.open(`${codes}/selected/change`, { method: 'POST', body });
  };

  await browser.open(codes);
  const [, token = ''] = /id="selection".*?name="token" value="([^"]*)"/s.exec(browser.page.text) ?? [];
  const selection = new URLSearchParams({ token, [`code-${ids[0]}`]: 'on', [`code-${ids[1]}`]: 'on' });
  await browser.open(`${codes}/selected/edit`, { method: 'POST', body: String(selection) });
  t.equal(browser.path, `${codes}/selected?ids=${ids[0]},${ids[1]}`);
  t.match(browser.main, '<h1>Change 2 codes</h1>');

  await send({ change: 'notifications', notifyOn: 'NEVER' });
  t.match(browser.main, '3 codes are changed.');
  t.match(browser.main, '1 code no longer exists.', 'nobody changes the code of somebody else');
  t.same(
    (await read()).map(({ notifyOn }) => notifyOn),
    ['NEVER', 'NEVER', 'NEVER'],
  );
  await send({ change: 'notifications', notifyOn: 'NEVER' });
  t.match(browser.main, '3 codes stayed as they were.');

  await send({ change: 'expiry', lastDay: '2100-01-31' });
  t.match(browser.main, '3 codes are changed.');
  t.match((await read())[0]?.expiresAt?.toISOString(), /^2100-0(1-31|2-01)T/);
  await send({ change: 'expiry', clear: 'yes' });
  t.same(
    (await read()).map(({ expiresAt }) => expiresAt),
    [null, null, null],
  );

  await send({ change: 'metadata', key: 'site', value: ' Berlin ' });
  t.match(browser.main, '2 codes are changed.');
  t.match(browser.main, '1 code was left out: it has no room for more own data.');
  t.same(
    (await read()).slice(0, 2).map(({ metadata }) => metadata),
    [{ site: 'Berlin' }, { site: 'Berlin' }],
  );
  await send({ change: 'metadata', key: 'site', clear: 'yes' });
  t.match(browser.main, '2 codes are changed.');
  t.match(browser.main, '1 code stayed as it was.');
  t.same(
    (await read()).slice(0, 2).map(({ metadata }) => metadata),
    [{}, {}],
  );

  await send({ change: 'metadata', key: 'my site', value: '<i>Berlin' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'Write letters, digits');
  t.match(browser.page.text, 'value="&#60;i&#62;Berlin"', 'what was entered is still there');
  t.match(browser.main, '<h1>Change 4 codes</h1>', 'as are the codes');
  t.match(await test.database.client.qrCode.findUnique({ where: { id: foreign.id } }), { version: 1 });

  await browser.open(`${codes}/selected?ids=nonsense`);
  t.match(browser.main, 'Select at least one code first.');
});

t.test('what a form sets is checked before any code is changed', async (t) => {
  const now = new Date('2026-05-10T12:00:00Z');
  const parse = (fields: Record<string, string>, timeZone = 'UTC') =>
    parseSelectedChange(fields, { timeZone, now, brandColor: '#1a56db', designs: new Map() });
  const changeOf = (fields: Record<string, string>, timeZone?: string) => parse(fields, timeZone).change;
  const errorOf = (fields: Record<string, string>) => parse(fields).errors[0]?.field;
  const expiry = (lastDay: string) => ({ change: 'expiry', lastDay });
  t.same(changeOf(expiry('2026-05-10')), { expiresAt: '2026-05-11T00:00:00.000Z' }, 'today has not ended');
  t.same(changeOf(expiry('2026-05-31'), 'America/New_York'), { expiresAt: '2026-06-01T04:00:00.000Z' });
  t.same(changeOf(expiry('2026-03-28'), 'Europe/Berlin'), null);
  t.same(changeOf(expiry('2026-10-24'), 'Europe/Berlin'), { expiresAt: '2026-10-24T22:00:00.000Z' });
  for (const day of ['', '2026-05-09', '2026-02-30', 'tomorrow', '9999-12-31'])
    t.equal(errorOf(expiry(day)), 'lastDay', day);
  t.equal(errorOf({ change: 'notifications', notifyOn: 'SOMETIMES' }), 'notifyOn');
  t.equal(errorOf({ change: 'metadata', value: 'x' }), 'key');
  t.equal(errorOf({ change: 'metadata', key: 'site' }), 'value');
  t.equal(errorOf({ change: 'metadata', key: 'site', value: 'two\nlines' }), 'value');
  t.equal(errorOf({}), 'notifyOn');
  const page = (accentColor: string) => ({ change: 'page', accentColor });
  t.same(changeOf(page('#1A56DB')), { pageDesign: { accentColor: null } }, 'the color of the service');
  for (const color of ['#ffd400', 'red', '#123456;}', '', '#12345'])
    t.equal(errorOf(page(color)), 'accentColor', color);
  t.equal(errorOf({ change: 'page-of', from: '__proto__' }), 'from');
});

t.test('the look of the page is set for selected codes, or copied from one of them', async (t) => {
  const test = await startTestApp(t);
  const [user, other] = [await test.createUser(), await test.createUser()];
  const ids: string[] = [];
  for (const title of ['Drill', 'Ladder']) ids.push((await createTestCode(test, user, { title })).id);
  const foreign = await createTestCode(test, other);
  const browser = await signInBrowser(test, user);
  const codes = `/app/${user.id}/codes`;
  const [first = '', second = ''] = ids;
  const readDesigns = () =>
    Promise.all(
      [first, second, foreign.id].map(
        async (id) => (await test.database.client.qrCode.findUniqueOrThrow({ where: { id } })).pageDesign,
      ),
    );
  const send = async (fields: Record<string, string>) => {
    await browser.open(`${codes}/selected?ids=${[first, second, foreign.id].join(',')}`);
    const { fields: hidden } = browser.readForm('/selected/change');
    const body = String(new URLSearchParams({ token: hidden.token ?? '', ids: hidden.ids ?? '', ...fields }));
    await browser.open(`${codes}/selected/change`, { method: 'POST', body });
  };

  await send({ change: 'page', accentColor: '#7a1f5c' });
  t.match(browser.main, '2 codes were left out: your plan doesn’t include this.');
  t.same(await readDesigns(), [{}, {}, {}]);
  await browser.open(`${codes}/selected?ids=${first}`);
  t.match(browser.main, 'A look of its own is part of Personal.');

  await addSubscription(test, user.id, 'PERSONAL');
  await send({ change: 'page', accentColor: '#ffd400' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'A darker tone is filled in');
  const [, darker = ''] = /name="accentColor"[^>]*value="(#[0-9a-f]{6})"/.exec(browser.page.text) ?? [];
  await send({ change: 'page', accentColor: darker });
  t.match(browser.main, '2 codes are changed.');
  t.same(await readDesigns(), [{ accentColor: darker }, { accentColor: darker }, {}]);

  const ordered = { accentColor: '#123456', sectionOrder: ['DETAILS', 'CONTACTS'] };
  await test.database.client.qrCode.update({ where: { id: first }, data: { pageDesign: ordered } });
  await send({ change: 'page-of', from: foreign.id });
  t.equal(browser.page.status, 400, 'no look of the code of somebody else');
  await send({ change: 'page-of', from: first });
  t.same(await readDesigns(), [ordered, ordered, {}]);
  await send({ change: 'page', clear: 'yes' });
  t.same(await readDesigns(), [{}, {}, {}]);
});
