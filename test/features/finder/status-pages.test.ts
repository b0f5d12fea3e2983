import { setTimeout as wait } from 'node:timers/promises';
import { toSupportedLocale } from '../../../src/shared/i18n/choose-locale.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { generateAbsentId, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { TestBrowser } from '../owner-pages/browser.ts';
import { startScans } from '../scans/helper.ts';

type Message =
  | `finder.${'paused' | 'expired' | 'unknown' | 'unclaimed' | 'refused' | 'failed'}Title`
  | 'finder.pinWrong'
  | 'finder.pinTooManyAttempts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Content that only the owner or a visit with the PIN may see. */
const PRIVATE = /Ada|Lovelace|170 1234567|Canary|@example\.org/;

t.test('each state that stops a finder has a page that explains it', async (t) => {
  const test = await startScans(t, { DATABASE_POOL_SIZE: '2' });
  const { call, code, database, owner, services } = test;
  const token = owner.accessToken;
  const data = { name: 'Rex', owner: { name: 'Ada', phone: '+49 170 1234567' } };
  const guarded = await code({ title: 'Canary', data, pin: '0047' });
  const paused = await code({ title: 'Canary', data });
  await call('PUT', `/api/qrcodes/${paused}`, { token, body: { status: 'PAUSED' } });
  const expired = await code({ title: 'Canary', data });
  await database.client.qrCode.update({ where: { id: expired }, data: { expiresAt: new Date() } });
  const deleted = await code({ title: 'Canary', data });
  await call('DELETE', `/api/qrcodes/${deleted}`, { token });
  const unclaimed = await code({ title: 'Canary', data });
  await database.client.qrCode.update({ where: { id: unclaimed }, data: { status: 'UNCLAIMED' } });
  const altered = await code({ title: 'Canary', data });
  await database.client.qrCode.update({ where: { id: altered }, data: { data: Buffer.alloc(80) } });
  const visit = /name="visit" value="([^"]+)"/.exec((await call('GET', `/s/${guarded}`)).text)?.[1] ?? '';

  const get = (id: string) => (lang: string) => call('GET', `/s/${id}?lang=${lang}`);
  const post = (path: string, body: string, headers: Record<string, string> = FORM) => {
    return (lang: string) => call('POST', `/s/${path}?lang=${lang}`, { body, headers });
  };
  const pin = post(`${guarded}/pin`, `visit=${visit}&pin=9999`);
  const cases: [Message, number, string, (lang: string) => Promise<TestResponse>][] = [
    ['finder.pausedTitle', 410, 'paused', get(paused)],
    ['finder.expiredTitle', 410, 'expired', get(expired)],
    ['finder.unknownTitle', 404, 'unknown', get(generateAbsentId())],
    ['finder.unknownTitle', 404, 'deleted', get(deleted)],
    ['finder.unclaimedTitle', 404, 'unclaimed', get(unclaimed)],
    ['finder.refusedTitle', 415, 'a form of another type', post(`${guarded}/pin`, '{}', {})],
    ['finder.refusedTitle', 400, 'a form that cannot be read', post(`${guarded}/pin`, 'pin=%ff')],
    [
      'finder.refusedTitle',
      413,
      'a form that is too long',
      post(`${guarded}/pin`, `pin=${'1'.repeat(17_000)}`),
    ],
    ['finder.failedTitle', 500, 'content that was altered', get(altered)],
    ['finder.pinWrong', 403, 'a wrong PIN', pin],
  ];
  const checkPage = (answer: TestResponse, [key, status, what]: [Message, number, string], lang: string) => {
    t.equal(answer.status, status, `${what}, ${lang}`);
    t.match(answer.headers, {
      'content-language': lang,
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    t.match(answer.text, '<meta name="robots" content="noindex">');
    t.match(answer.text, `<html lang="${lang}"`);
    t.match(answer.text, '<h1>');
    t.match(answer.text, translate(toSupportedLocale(lang), key), `${what}, ${lang}`);
    t.notMatch(answer.text, PRIVATE, what);
    t.match(answer.text, 'id="answer" tabindex="-1"', 'the focus has a target');
  };
  for (const lang of ['de', 'ja']) {
    for (const [key, status, what, ask] of cases) {
      const answer = await ask(lang);
      checkPage(answer, [key, status, what], lang);
      if (status === 410)
        t.match(answer.text, translate(toSupportedLocale(lang), 'finder.closedWrite'), what);
    }
  }
  const unscanned = await call('POST', '/api/scans/public', { body: { qrCodeId: unclaimed } });
  t.ok(isProblem(unscanned, 404, 'CODE_UNCLAIMED'));
  const unwritten = { qrCodeId: unclaimed, message: 'x' };
  t.ok(isProblem(await call('POST', '/api/conversations/public', { body: unwritten }), 404, 'NOT_FOUND'));
  for (let tries = 2; tries < 5; tries++) await pin('en');
  const { pool } = database;
  for (const lang of ['de', 'ja'])
    checkPage(await pin(lang), ['finder.pinTooManyAttempts', 429, 'too many tries'], lang);
  await services.jobs.stop();
  pool.options.connectionTimeoutMillis = 100;
  const taken = await Promise.all([pool.connect(), pool.connect()]);
  const pausedPages = await Promise.all(['de', 'ja'].map(get(paused)));
  for (const connection of taken) connection.release();
  for (const [index, lang] of ['de', 'ja'].entries()) {
    const answer = pausedPages[index];
    if (answer) checkPage(answer, ['finder.failedTitle', 503, 'no database'], lang);
    t.equal(answer?.headers['retry-after'], '1');
  }
});

t.test('what a finder wrote while the service was unavailable can be sent again', async (t) => {
  const test = await startScans(t, { DATABASE_POOL_SIZE: '2' });
  const { call, code, database, owner, services } = test;
  const id = await code();
  const guarded = await code({ pin: '0047' });
  const browser = new TestBrowser(test);
  await browser.open(`/s/${guarded}`);
  const pinForm = browser.readForm('/pin');
  await browser.open(`/s/${id}`);
  const { action, fields } = browser.readForm('/message');
  const message = 'Rex is <b>here</b>, at the "lake"';
  await services.jobs.stop();
  database.pool.options.connectionTimeoutMillis = 100;
  const taken = await Promise.all([database.pool.connect(), database.pool.connect()]);
  const send = (path: string, body: Record<string, string>, site: string) =>
    call('POST', path, {
      body: String(new URLSearchParams(body)),
      headers: { ...FORM, 'sec-fetch-site': site, accept: 'text/html' },
    });
  const withPin = await send(pinForm.action, { ...pinForm.fields, pin: '0047' }, 'same-origin');
  const foreign = await send(action, { ...fields, message }, 'none');
  await browser.open(action, {
    method: 'POST',
    body: String(new URLSearchParams({ ...fields, message, name: 'Ada' })),
  });
  for (const connection of taken) connection.release();
  t.match([withPin.status, /\b0047\b/.test(withPin.text)], [503, false], 'no secret is kept');
  t.match([foreign.status, foreign.text.includes('lake')], [503, false], 'nor what another page sent');
  t.equal(browser.page.status, 503);
  t.ok(browser.main.includes(message));
  t.notMatch(browser.page.text, '<b>here');
  // Who is faster is taken for a robot.
  await wait(2_100);
  await browser.send('/message');
  t.match([browser.page.status, browser.title], [200, 'Your message was sent to the owner']);
  const list = await call('GET', '/api/conversations', { token: owner.accessToken });
  t.match(list.body.data, [{ qrCodeId: id, finderName: 'Ada' }]);
});
