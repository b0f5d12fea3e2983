import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { generateAbsentId, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { findCounts, startScans } from '../scans/helper.ts';

/** User agents of link previews. */
const MESSENGERS = [
  'WhatsApp/2.23.20.0',
  'TelegramBot (like TwitterBot)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Twitterbot/1.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Viber/20.5.0 (iPhone; iOS 17.0)',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
];

const getOpenGraphTags = (page: TestResponse) =>
  Object.fromEntries(
    [...page.text.matchAll(/<meta (?:property|name)="([a-z]+:[a-z]+)" content="([^"]*)">/g)].map(
      ([, name, content]) => [name, content],
    ),
  );

t.test('pages can be shared as links, and reject forms of other sites', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;
  const token = owner.accessToken;

  await t.test('every page has the same Open Graph tags, which reveal nothing about the code', async (t) => {
    const card = {
      'og:type': 'website',
      'og:locale': 'en_US',
      'og:title': 'See what this QR code shows',
      'og:description': 'Open the page to see what the owner shares and how to reach them.',
      'twitter:card': 'summary',
    };
    const pet = await code();
    const lost = await code({ kind: 'MEDICAL', title: 'Card', data: { name: 'Ada' }, pin: '4711' });
    await call('POST', `/api/qrcodes/${lost}/lost`, { token, body: { message: 'Please help' } });
    const url = { kind: 'URL', title: 'Menu', data: { url: 'https://example.com' }, showsPage: true };
    const paused = await code();
    await call('PUT', `/api/qrcodes/${paused}`, { token, body: { status: 'PAUSED' } });
    for (const id of [
      pet,
      lost,
      await code(url),
      paused,
      generateAbsentId(),
      'x',
      `${pet}/c/${generateAbsentId()}`,
      'test/x',
    ])
      for (const agent of MESSENGERS.slice(0, 2)) {
        const page = await call('GET', `/s/${id}`, { headers: { 'user-agent': agent } });
        t.same(getOpenGraphTags(page), card, `${id}, ${page.status}`);
      }
    const locales = new Set<string | undefined>();
    for (const locale of LOCALES.values()) {
      const { tag } = locale;
      const tags = getOpenGraphTags(await call('GET', `/s/${generateAbsentId()}?lang=${tag}`));
      t.equal(tags['og:title'], translate(locale, 'finder.previewTitle'), tag);
      t.match(tags['og:locale'], new RegExp(`^${tag}_[A-Z]{2}$`));
      locales.add(tags['og:locale']);
    }
    t.equal(locales.size, LOCALES.size);
  });

  await t.test('a link preview of a messenger is not counted as a person and sends no alert', async (t) => {
    const id = await code();
    await call('POST', `/api/qrcodes/${id}/lost`, { token, body: {} });
    const alerts = () => database.client.notification.count();
    const before = await alerts();
    for (const agent of MESSENGERS) {
      const page = await call('GET', `/s/${id}`, { headers: { 'user-agent': agent } });
      t.match(page, { status: 200, text: /<h1>Rex<\/h1>/ }, agent);
    }
    const { counters, rows } = await findCounts(test, id);
    t.same(counters, { total: MESSENGERS.length, humans: 0, unique: 0 });
    t.same(rows, counters);
    t.equal(await database.client.scan.count({ where: { qrCodeId: id, class: 'PREVIEW' } }), 10);
    t.equal(await alerts(), before);
    await call('GET', `/s/${id}`);
    t.equal(await alerts(), before + 1, 'a person opens the link');
  });

  await t.test('rejects a form of another site, whatever it contains', async (t) => {
    const id = await code();
    const { text } = await call('GET', `/s/${id}`);
    const visit = /name="visit" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const place = (headers: Record<string, string>) =>
      call('POST', `/s/${id}/location`, {
        body: String(new URLSearchParams({ visit, place: 'At the gate' })),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://qr.example.org' },
      { origin: 'https://evil.example' },
      { origin: 'https://qr.example.org.evil.example' },
      { origin: 'x' },
    ];
    for (const headers of foreign) {
      const refused = await place(headers);
      t.equal(refused.status, 403, JSON.stringify(headers));
      t.match(refused.text, '<h1>That didn’t work</h1>');
    }
    t.equal(await database.client.conversation.count({ where: { qrCodeId: id } }), 0);
    const own: Record<string, string>[] = [
      {},
      // Sent by browsers with forms of pages without a referrer.
      { 'sec-fetch-site': 'same-origin', origin: 'null' },
      { origin: 'null' },
      { origin: 'https://qr.example.org' },
      // The address in a local network.
      { origin: 'http://192.168.1.5:3000', host: '192.168.1.5:3000' },
    ];
    for (const headers of own) t.equal((await place(headers)).status, 200, JSON.stringify(headers));
    t.equal(await database.client.conversation.count({ where: { qrCodeId: id } }), 1);
  });
});
