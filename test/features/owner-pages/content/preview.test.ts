import { getOwnerPreviewUrl, QR_CODE_KINDS } from '../../../../src/features/codes/index.ts';
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

t.test('the frame shows what is not saved, as a finder would see it', async (t) => {
  const { test, browser, api, path } = await startOwner(t);
  const owner = { name: 'Anna', phone: '+49 170 1234567' };
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex', owner }, visibility: { breed: 'PRIVATE' } };
  const { id } = (await api('POST', '/api/qrcodes', body)).body;
  await browser.open(`${path}/codes/${id}/content`);
  t.match(browser.main, `formaction="${path}/codes/${id}/preview" formtarget="preview"`);
  const { fields } = browser.readForm('/content');
  const preview = async (changes: Record<string, string>) => {
    const form = String(new URLSearchParams({ ...fields, ...changes }));
    return browser.open(`${path}/codes/${id}/preview`, { method: 'POST', body: form });
  };
  const page = await preview({ 'data.name': 'Rexy', 'data.breed': 'Beagle', 'data.color': '<b>brown' });
  t.equal(page.status, 200);
  t.match(page.headers, { 'content-security-policy': /frame-ancestors 'self'/, 'cache-control': 'no-store' });
  t.match(page.text, '<h1>Rexy');
  t.match(page.text, '&#60;b&#62;brown');
  t.notMatch(page.text, 'Beagle', 'a field that only the owner sees');
  t.match(page.text, '<textarea', 'with the form for a message');
  t.match((await preview({ 'data.breed': 'Beagle', 'visibility.breed': 'PUBLIC' })).text, 'Beagle');
  const wrong = await preview({ 'data.owner.phone': 'call me', 'data.name': 'Rexy' });
  t.notMatch(wrong.text, 'call me', 'what is not valid is left out');
  t.match(wrong.text, '<h1>Rexy');
  const count = await preview({ 'data.breed': 'Beagle', 'visibility.breed': 'PUBLIC' });
  t.match(count.text, '<p id="visible">A stranger sees 2 of 3 fields.</p>', 'with what is chosen now');
  t.same((await api('GET', `/api/qrcodes/${id}`)).body.data, { name: 'Rex', owner }, 'nothing is saved');

  const [, visit = ''] = /name="visit" value="([^"]*)"/.exec(page.text) ?? [];
  const message = new URLSearchParams({ visit, message: 'Found!' });
  const sent = await test.call('POST', `/s/${id}/message`, {
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: String(message),
  });
  t.equal(sent.status, 403, 'its forms send nothing');
});

t.test('the page of a new code is shown before there is one', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const preview = async (kind: string, changes: Record<string, string>) => {
    await browser.open(`${path}/codes/new/${kind}`);
    t.match(browser.main, `formaction="${path}/codes/new/${kind}/preview" formtarget="preview"`);
    const body = String(new URLSearchParams({ ...browser.readForm(`/new/${kind}`).fields, ...changes }));
    return browser.open(`${path}/codes/new/${kind}/preview`, { method: 'POST', body });
  };
  for (const { kind } of QR_CODE_KINDS) {
    const page = await preview(kind.toLowerCase().replaceAll('_', '-'), {});
    t.equal(page.status, 200, kind);
    t.match(page.text, /<h1[^>]*>[^<]/, kind);
  }
  t.match((await preview('wifi', { 'data.ssid': 'Café' })).text, 'Café');
  t.notMatch((await preview('medical', { 'data.bloodType': 'O-' })).text, 'Blood type');
  const card = await preview('medical', { 'data.bloodType': 'O-', audience: 'EVERYONE' });
  t.match(card.text, 'Blood type', 'an emergency card shows what helps');
  const link = await preview('url', { 'data.url': 'javascript:alert(1)' });
  t.notMatch(link.text, 'javascript:alert');
  t.same((await api('GET', '/api/qrcodes')).body.data, []);
});
