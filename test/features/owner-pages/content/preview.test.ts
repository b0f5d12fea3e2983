import { getOwnerPreviewUrl } from '../../../../src/features/codes/index.ts';
import { t } from '../../../tap.ts';
import { startOwner } from './owner.ts';

t.test('the preview beside the content is the page of finders, which nobody else may frame', async (t) => {
  const { test, browser, api, path } = await startOwner(t);
  const create = async (body: object) => (await api('POST', '/api/qrcodes', body)).body;
  const { id } = await create({ kind: 'PET', title: 'Rex', data: { name: 'Rex', reward: '100 EUR' } });
  const other = await create({ kind: 'PET', title: 'Max', data: { name: 'Max' } });
  const getFrameAncestors = (headers: Record<string, unknown>) =>
    /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
  await browser.open(`${path}/codes/${id}/content`);
  t.equal(getFrameAncestors(browser.page.headers), "'none'", 'pages for owners are in no frame');
  t.match(browser.page.headers, { 'content-security-policy': /frame-src 'self'/ });
  const address = /<iframe[^>]* src="([^"]*)"/.exec(browser.main)?.[1] ?? '';
  t.match(address, new RegExp(`^/s/${id}\\?`));

  const openAsStranger = (url: string) => test.call('GET', url, { headers: { accept: 'text/html' } });
  const preview = await openAsStranger(address);
  t.match(preview.text, '100 EUR');
  t.equal(getFrameAncestors(preview.headers), "'self'");
  t.equal((await api('GET', `/api/qrcodes/${id}`)).body.scanCount, 0, 'a preview is no scan');

  const { origin } = new URL(getOwnerPreviewUrl(test.services, id, 'en'));
  const query = getOwnerPreviewUrl(test.services, other.id, 'en').slice(`${origin}/s/${other.id}`.length);
  for (const url of [`/s/${id}`, `/s/${id}${query}`, `${address}x`, `${address}&look=x`, `/s/${id}?look=`])
    t.equal(getFrameAncestors((await openAsStranger(url)).headers), "'none'", url);
  await api('PATCH', `/api/qrcodes/${id}`, { status: 'PAUSED' });
  t.equal(getFrameAncestors((await openAsStranger(address)).headers), "'none'", 'a page without content');
  await browser.open(`${path}/codes/${id}/content`);
  t.notMatch(browser.main, '<iframe');
});

t.test('a code that leads somewhere else at once has no preview', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const body = { kind: 'URL', title: 'Menu', data: { url: 'https://example.com/menu' } };
  const { id } = (await api('POST', '/api/qrcodes', body)).body;
  await browser.open(`${path}/codes/${id}/content`);
  t.notMatch(browser.main, '<iframe');
  await api('PATCH', `/api/qrcodes/${id}`, { showsPage: true });
  await browser.open(`${path}/codes/${id}/content`);
  t.match(browser.main, '<iframe');
});
