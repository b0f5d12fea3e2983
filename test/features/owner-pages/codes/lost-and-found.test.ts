import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signIn, startOwner } from '../content/owner.ts';

t.test('a code is reported as lost in two taps from every page, and found again', async (t) => {
  const { browser, user, test, api, path } = await startOwner(t);
  await browser.open(`${path}/lost`);
  t.match(browser.main, 'None of your codes can be reported as lost.');
  const title = '<b>Rex</b>';
  const { id } = await createTestCode(test, user, { title });
  await createTestCode(test, user, { title: 'Wifi', kind: 'TEXT', data: { text: 'hello' } });
  for (const page of ['', '/codes', `/codes/${id}/content`, '/inbox', '/documents', '/settings/security']) {
    await browser.open(`${path}${page}`);
    t.match(browser.page.text, `<a href="${path}/lost">`, page);
  }
  await browser.open(`${path}/lost`);
  t.notMatch(browser.page.text, title);
  t.notMatch(browser.main, 'Wifi', 'what nobody loses');
  await browser.send(`/codes/${id}/lost`);
  t.equal(browser.path, `${path}/codes/${id}?done=lost`);
  t.match((await api('GET', `/api/qrcodes/${id}`)).body, {
    status: 'LOST',
    lost: { message: 'Please send me a message here and keep my pet with you. I’ll come right away.' },
  });
  await browser.open(`${path}/lost`);
  t.notOk(browser.findForm('/lost'));
  await browser.send('/found');
  t.equal((await api('GET', `/api/qrcodes/${id}`)).body.status, 'ACTIVE');
  const stranger = await signIn(test);
  t.equal((await stranger.browser.open(`${path}/lost`)).status, 404);
});

t.test('of many codes the one is found by its name', async (t) => {
  const { browser, user, test, path } = await startOwner(t);
  for (let number = 1; number <= 27; number += 1)
    await createTestCode(test, user, { title: `Bag ${String(number).padStart(2, '0')}` });
  await browser.open(`${path}/lost`);
  t.equal(browser.main.match(/<h3>/g)?.length, 25);
  await browser.open(`${path}/lost?search=bag+01`);
  t.equal(browser.main.match(/<h3>/g)?.length, 1);
  t.match(browser.main, 'Bag 01');
  await browser.open(`${path}/lost?search=nothing`);
  t.match(browser.main, 'name="search"');
});

t.test('codes of one name are told apart by their own number', async (t) => {
  const { browser, user, test, path } = await startOwner(t);
  for (const externalId of ['015', '035'])
    await createTestCode(test, user, {
      kind: 'LUGGAGE',
      title: 'Olga',
      data: { name: 'Jacket' },
      externalId,
    });
  for (const page of ['/lost', '', '/codes']) {
    await browser.open(`${path}${page}`);
    for (const number of ['015', '035']) t.match(browser.main, `Luggage · <bdi>${number}</bdi>`, page);
  }
});
