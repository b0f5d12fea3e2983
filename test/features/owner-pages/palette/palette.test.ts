import { t } from '../../../tap.ts';
import { signIn, startOwner } from '../content/owner.ts';

t.test('the palette finds pages and codes of the account alone', async (t) => {
  const { test, browser, api, path } = await startOwner(t);
  const create = async (body: object) => (await api('POST', '/api/qrcodes', body)).body;
  const data = { name: 'Rex' };
  const rex = await create({ kind: 'PET', title: '<b>Rex', data, externalId: 'T-42' });
  const bag = await create({ kind: 'LUGGAGE', title: 'Bag', data: { name: 'Bag' } });
  const search = async (text: string) => {
    const query = new URLSearchParams({ search: text });
    return (await browser.open(`${path}/palette?${query}`)).text;
  };
  const first = await search('');
  t.match(first, `id="palette-0" aria-selected="true" data-href="${path}"><span>Home</span>`);
  t.notMatch(first, 'Rex', 'codes only once something is typed');

  const found = await search('rex');
  t.match(
    found,
    `data-href="${path}/codes/${rex.id}"><span><bdi>&#60;b&#62;Rex</bdi></span> <span class="small">Pet`,
  );
  t.match(found, `data-href="${path}/codes/${rex.id}/lost"><span>Mark <bdi>&#60;b&#62;Rex</bdi> as lost`);
  t.notMatch(found, bag.id);
  t.match(await search('T-42'), rex.id, 'by the own number');
  t.match(await search(bag.shortNumber), bag.id, 'by the short number');
  t.match(await search('secur'), `data-href="${path}/settings/security"`);
  t.equal(await search('zzz'), '');
  await api('POST', `/api/qrcodes/${rex.id}/lost`, {});
  const lost = await search('rex');
  t.match(lost, 'Mark <bdi>&#60;b&#62;Rex</bdi> as found');
  t.notMatch(lost, '/lost"');

  const stranger = await signIn(test);
  t.equal((await stranger.browser.open(`${path}/palette?search=rex`)).status, 404);
  t.equal((await stranger.browser.open(`${stranger.path}/palette?search=rex`)).text, '');
});
