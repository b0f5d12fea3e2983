import { QR_CODE_KINDS } from '../../../src/features/codes/kinds/all-kinds.ts';
import { toSupportedLocale } from '../../../src/shared/i18n/choose-locale.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { generateAbsentId, PHONE_USER_AGENT, type TestResponse } from '../../helper.ts';
import { freezeRateWindow } from '../../rate-window.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { findAuditEntries } from '../identity/accounts/helper.ts';
import { findCounts, startScans } from '../scans/helper.ts';

const OWN_SCRIPT_PATTERN = /<script src="\/s\/(?:copy|position)\.js(?:\?lang=\w+)?" defer><\/script>/;

const EXTERNAL_REQUEST_PATTERN =
  /<script|<img|<iframe|<link(?! rel="icon" href="data:image\/svg\+xml;base64,)|@import|url\(|src=/i;

function isPage(answer: TestResponse): boolean {
  const policy = String(answer.headers['content-security-policy']);
  return (
    String(answer.headers['content-type']).startsWith('text/html') &&
    answer.headers['cache-control'] === 'no-store' &&
    answer.headers['referrer-policy'] === 'no-referrer' &&
    answer.headers['x-robots-tag'] === 'noindex' &&
    policy.startsWith("default-src 'none'; style-src 'sha256-") &&
    !policy.includes('unsafe') &&
    Buffer.byteLength(answer.text) < 20_000 &&
    !EXTERNAL_REQUEST_PATTERN.test(answer.text.replace(OWN_SCRIPT_PATTERN, '')) &&
    /<html lang="en" dir="ltr">/.test(answer.text) &&
    /<h1(?: class="kind")?>[^<]+<\/h1>/.test(answer.text)
  );
}

t.test('a finder opens the page of a code', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;

  await t.test('shows what the owner allows and records a scan', async (t) => {
    const data = {
      name: 'Rex',
      notes: 'Please call.\nHe likes cheese.',
      owner: { name: 'Ada', phone: '+49 (0)170 1234567', email: 'ada+dog@example.org' },
      bornOn: '2021-04-12',
      neutered: true,
      sex: 'MALE',
      microchip: '276098106234567',
    };
    const id = await code({ data, visibility: { owner: 'PUBLIC' } });
    const page = await call('GET', `/s/${id}`, { headers: { 'user-agent': `${PHONE_USER_AGENT} 1` } });
    t.equal(page.status, 200);
    t.ok(isPage(page), page.text);
    t.match(page.text, '<h1>Rex</h1>');
    t.match(page.text, 'href="tel:+491701234567"');
    t.match(page.text, 'href="mailto:ada%2Bdog@example.org"');
    t.match(page.text, '<time datetime="2021-04-12">April 12, 2021</time>');
    t.match(page.text, '<dt>Neutered</dt><dd>Yes</dd>');
    t.match(page.text, '<dd>Male</dd>');
    t.notOk(page.text.includes('276098106234567'), 'private fields stay private');
    t.notMatch(page.text, 'name="pin"');
    const [row] = await database.client.scan.findMany({ where: { qrCodeId: id } });
    t.match(row, {
      type: 'public',
      class: 'HUMAN',
      userAgent: `${PHONE_USER_AGENT} 1`,
      ipTruncated: '127.0.0.0',
    });
    t.equal(await database.client.notification.count({ where: { event: 'scan.created' } }), 1);
    await call('GET', `/s/${id}`);
    const { counters, rows } = await findCounts(test, id);
    t.same(counters, rows);
    t.equal(counters.total, 2);
  });

  await t.test('a HEAD request records nothing', async (t) => {
    const id = await code({ kind: 'MEDICAL', title: 'Card', data: { name: 'Ada' } });
    const trail = await captureAuditEntries(test, async () => {
      const head = await call('HEAD', `/s/${id}`);
      t.equal(head.status, 200);
      t.equal(head.text, '');
    });
    t.same(trail, []);
    t.equal(await database.client.scan.count({ where: { qrCodeId: id } }), 0);
    t.equal((await call('HEAD', `/s/${generateAbsentId()}`)).status, 404);
    const entries = await captureAuditEntries(test, () => call('GET', `/s/${id}`));
    t.match(entries, [{ action: 'MEDICAL_DATA_SCANNED', resourceId: id }]);
  });

  await t.test('shows emergency information first', async (t) => {
    const id = await code({
      kind: 'MEDICAL',
      title: 'Card',
      data: {
        notes: 'Collects stamps',
        emergencyContacts: [{ name: 'Tom', phone: '112 334' }],
        allergies: [{ name: 'Penicillin', severity: 'LIFE_THREATENING' }],
        name: 'Ada',
      },
      visibility: { notes: 'PUBLIC', allergies: 'PUBLIC', emergencyContacts: 'PUBLIC' },
    });
    const { text } = await call('GET', `/s/${id}`);
    const places = [
      '<h1>Medical ID',
      'Ada',
      'tel:112"',
      'Penicillin',
      'Life-threatening',
      'tel:112334',
      'Collects',
    ].map((part) => text.indexOf(part));
    t.ok(
      places.every((place) => place > 0),
      String(places),
    );
    t.same(
      places,
      [...places].sort((a, b) => a - b),
    );
    t.notOk(/<title>[^<]*Ada/.test(text), 'a link preview does not show the name');
  });

  await t.test('the address of a form leads back to the page', async (t) => {
    const id = await code({ kind: 'TEXT', title: 'Note', data: { text: 'Hello' } });
    for (const form of ['pin', 'message', 'location', 'guest-book'])
      t.match(await call('GET', `/s/${id}/${form}?lang=de`), {
        status: 302,
        headers: { location: `/s/${id}?lang=de` },
      });
    t.match(await call('GET', '/s/unknown/message'), { status: 404, text: 'Page not found' });
  });

  await t.test('markup in content is escaped', async (t) => {
    const nasty = '<script>alert(1)</script><img src=x onerror="a()">\'`&{pin}';
    const id = await code({ title: nasty, data: { name: nasty.slice(0, 80), notes: nasty } });
    await call('POST', `/api/qrcodes/${id}/lost`, {
      token: owner.accessToken,
      body: { message: nasty, reward: nasty },
    });
    const page = await call('GET', `/s/${id}`);
    t.notOk(/<script|<img|onerror="/.test(page.text.replace(OWN_SCRIPT_PATTERN, '')));
    t.match(page.text, '&#60;script&#62;');
  });

  await t.test('the page of a lost item shows the loss, the message and the reward', async (t) => {
    const id = await code();
    await call('POST', `/api/qrcodes/${id}/lost`, {
      token: owner.accessToken,
      body: { message: 'Ran away on Sunday', reward: '100 EUR', lastSeen: 'Canary Street' },
    });
    const { text } = await call('GET', `/s/${id}`);
    t.match(text, '<p class="flag">Lost</p>');
    t.match(text, 'Ran away on Sunday');
    t.match(text, 'Reward: <bdi>100 EUR</bdi>');
    t.match(text, 'Last seen: <bdi>Canary Street</bdi>');
    await call('POST', `/api/qrcodes/${id}/found`, { token: owner.accessToken });
    t.notOk((await call('GET', `/s/${id}`)).text.includes('<p class="flag">Lost</p>'));
  });

  await t.test('each kind has a page of less than 20 kB, however much the owner wrote', async (t) => {
    for (const { kind, example, schema } of QR_CODE_KINDS) {
      const fields = Object.keys(schema.properties);
      const visibility = Object.fromEntries(fields.map((field) => [field, 'PUBLIC']));
      const id = await code({ kind, title: kind, data: example, visibility, showsPage: true });
      const page = await call('GET', `/s/${id}`);
      t.equal(page.status, 200, kind);
      t.ok(isPage(page), kind);
    }
    const biography = 'Жизнь & <смерть> '.repeat(588);
    const achievements = Array.from({ length: 20 }, () => '犬'.repeat(200));
    const long = await code({ kind: 'MEMORY_TAG', title: 'x', data: { name: 'Q', biography, achievements } });
    const page = await call('GET', `/s/${long}`);
    t.ok(isPage(page), String(Buffer.byteLength(page.text)));
    t.ok(Buffer.byteLength(page.text) > 15_000);
    t.match(page.text, 'didn’t fit on this page');
    const locked = await code({
      kind: 'MEDICAL',
      title: 'x',
      pin: '0047',
      data: { name: 'Q', notes: biography.slice(0, 2_000) },
      visibility: { name: 'PUBLIC', notes: 'PUBLIC' },
    });
    const lost = { message: 'अ'.repeat(500), reward: 'अ'.repeat(100) };
    await call('POST', `/api/qrcodes/${locked}/lost`, { token: owner.accessToken, body: lost });
    for (const { tag } of LOCALES.values()) {
      for (const id of [long, locked]) {
        const spoken = await call('GET', `/s/${id}?lang=${tag}`);
        const bytes = Buffer.byteLength(spoken.text);
        t.ok(spoken.status === 200 && bytes < 20_000, `${tag}: ${bytes} bytes`);
        t.match(spoken.text, `<html lang="${tag}"`);
        t.equal(spoken.headers['content-language'], tag);
      }
    }
  });

  await t.test('paused, expired, deleted and unknown codes have pages without content', async (t) => {
    const token = owner.accessToken;
    const paused = await code();
    await call('PATCH', `/api/qrcodes/${paused}`, { token, body: { status: 'PAUSED' } });
    const expired = await code({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await database.client.qrCode.update({ where: { id: expired }, data: { expiresAt: new Date() } });
    const deleted = await code();
    await call('DELETE', `/api/qrcodes/${deleted}`, { token });
    const before = await database.client.scan.count();
    const cases: [string, number, string][] = [
      [paused, 410, 'This code is paused'],
      [expired, 410, 'This code has expired'],
      [deleted, 404, 'Page not found'],
      [generateAbsentId(), 404, 'Page not found'],
      ['x', 404, 'Page not found'],
      ['test', 404, 'Page not found'],
      [paused.toUpperCase(), 404, 'Page not found'],
      ['a'.repeat(300), 404, 'Page not found'],
    ];
    for (const [id, status, title] of cases) {
      const page = await call('GET', `/s/${id}`);
      t.equal(page.status, status, id);
      t.ok(isPage(page), page.text);
      t.match(page.text, `<h1>${title}</h1>`);
      // Tokens have random letters.
      t.notOk(page.text.replace(/ value="[^"]*"/g, '').includes('Rex'));
    }
    t.equal(await database.client.scan.count(), before);
    const empty = await code({ visibility: { name: 'PRIVATE', species: 'PRIVATE' } });
    t.match((await call('GET', `/s/${empty}`)).text, 'keeps the details private');
  });

  await t.test('a URL code redirects immediately, unless its owner wants the page', async (t) => {
    const data = { url: 'https://example.com/menü?a=1&b="x"' };
    const direct = await code({ kind: 'URL', title: 'Menu', data });
    for (const method of ['GET', 'HEAD']) {
      const answer = await call(method, `/s/${direct}`);
      t.equal(answer.status, 302);
      t.equal(answer.headers.location, 'https://example.com/men%C3%BC?a=1&b=%22x%22');
      t.equal(answer.headers['cache-control'], 'no-store');
      t.equal(answer.headers['referrer-policy'], 'no-referrer');
    }
    t.equal(await database.client.scan.count({ where: { qrCodeId: direct } }), 1);
    for (const agent of ['WhatsApp/2.23.20.0', 'curl/8.5.0']) {
      const answer = await call('GET', `/s/${direct}`, { headers: { 'user-agent': agent } });
      t.equal(answer.status, 302, agent);
    }
    t.match(await findCounts(test, direct), { counters: { total: 3, humans: 1, unique: 1 } });
    const slow = await code({ kind: 'URL', title: 'Menu', data, showsPage: true });
    const page = await call('GET', `/s/${slow}`);
    t.equal(page.status, 200);
    t.match(page.text, 'This code links to example.com.');
    t.match(
      page.text,
      'rel="noopener noreferrer nofollow" href="https://example.com/men%C3%BC?a=1&#38;b=%22x%22"',
    );
    const guarded = await code({ kind: 'URL', title: 'Menu', data, pin: '4711' });
    const closed = await call('GET', `/s/${guarded}`);
    t.equal(closed.status, 200);
    t.notOk(closed.text.includes('example.com'));
    const lost = await code({ kind: 'URL', title: 'Menu', data });
    await call('POST', `/api/qrcodes/${lost}/lost`, { token: owner.accessToken, body: {} });
    t.match((await call('GET', `/s/${lost}`)).text, '<p class="flag">Lost</p>');
  });

  await t.test('altered content gives an error page and an audit entry', async (t) => {
    const id = await code();
    await database.client.qrCode.update({
      where: { id },
      data: { data: Buffer.from('altered content of some length') },
    });
    const page = await call('GET', `/s/${id}`);
    t.equal(page.status, 500);
    t.match(page.text, '<h1>Something went wrong</h1>');
    t.equal(await database.client.scan.count({ where: { qrCodeId: id } }), 0);
    t.equal((await findAuditEntries(test, 'DATA_INTEGRITY_FAILED')).length, 1);
  });

  await t.test('OPTIONS is 204, other methods are 404', async (t) => {
    const id = await code();
    t.equal((await call('OPTIONS', `/s/${id}`)).status, 204);
    t.equal((await call('DELETE', `/s/${id}`)).status, 405);
  });
});

t.test('over the rate limit the page still shows public content and records nothing', async (t) => {
  const { call, code, database } = await startScans(t, { RATE_LIMIT_SCALE: '1' });
  const id = await code({ data: { name: 'Rex' }, pin: '4711' });
  freezeRateWindow(t);
  for (let index = 0; index < 40; index++) {
    const page = await call('GET', `/s/${id}`);
    t.equal(page.status, 200);
    t.match(page.text, '<h1>Rex</h1>');
    t.equal(page.text.includes('name="pin"'), index < 30);
  }
  const recorded = () => database.client.scan.count({ where: { qrCodeId: id } });
  t.equal(await recorded(), 30);
  const last = await call('GET', `/s/${id}`);
  t.match(last.text, 'Wait a minute');
  for (let index = 0; index < 300; index++) await call('HEAD', `/s/${id}`);
  const beyond = await call('GET', `/s/${id}`);
  t.equal(beyond.status, 200, 'beyond the limit of all pages too');
  t.match(beyond.text, '<h1>Rex</h1>');
  for (const path of ['contact.vcf', 'event.ics', `c/${generateAbsentId()}`]) {
    const refused = await call('GET', `/s/${id}/${path}`);
    t.match(refused, { status: 429, text: /<h1>Too many requests<.h1>/ }, path);
    t.notMatch(refused.text, 'Rex');
  }
  for (const lang of ['de', 'ja']) {
    const form = await call('POST', `/s/${id}/message?lang=${lang}`, {
      body: 'message=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    t.match(form, {
      status: 429,
      text: `<h1>${translate(toSupportedLocale(lang), 'finder.limitedTitle')}</h1>`,
    });
    t.ok(Number(form.headers['retry-after']) > 0);
  }
  t.equal(await recorded(), 30);
});
