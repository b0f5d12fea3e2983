import { generateShortNumber } from '../../../src/features/codes/short-number.rules.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { type CallOptions, startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTestCode } from '../codes/code-helper.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const app = await startTestApp(t);
const owner = await app.createUser();

const open = (number: string, { headers, ...options }: CallOptions = {}, query = '') =>
  app.call('GET', `/?number=${encodeURIComponent(number)}${query}`, {
    ...options,
    headers: { accept: BROWSER, ...headers },
  });

t.test('a typed number leads to the page of the code, for browsers and programs', async (t) => {
  const { id, shortNumber } = await createTestCode(app, owner);
  for (const spelling of [shortNumber, ` ${shortNumber.toLowerCase().replaceAll('-', ' ')} `])
    for (const accept of [BROWSER, '*/*']) {
      const answer = await open(spelling, { headers: { accept } });
      t.equal(answer.status, 303, spelling);
      t.match(answer.headers, { location: `/s/${id}`, 'cache-control': 'no-store' });
    }
  t.equal((await open(shortNumber, {}, '&lang=de')).headers.location, `/s/${id}?lang=de`);
  t.equal((await open(shortNumber, {}, '&lang=//x.example')).headers.location, `/s/${id}`);
  t.equal((await open(' ')).status, 200, 'nothing was typed');
});

t.test('the form is on the page in each language, and without pages for owners', async (t) => {
  for (const { tag } of LOCALES.values()) {
    const { text } = await app.call('GET', `/?lang=${tag}`, { headers: { accept: BROWSER } });
    t.match(text, `<form action="/"><input type="hidden" name="lang" value="${tag}">`);
    t.match(text, '<label for="number">');
  }
  const withoutPages = await startTestApp(t, { OWNER_PAGES: 'off' });
  const { id, shortNumber } = await createTestCode(withoutPages, await withoutPages.createUser());
  const { text } = await withoutPages.call('GET', '/', { headers: { accept: BROWSER } });
  t.match(text, 'name="number"');
  t.notMatch(text, '/app/');
  const answer = await withoutPages.call('GET', `/?number=${shortNumber}`, { headers: { accept: BROWSER } });
  t.match(answer, { status: 303, headers: { location: `/s/${id}` } });
});

t.test('codes that finders do not see answer as at their scan address', async (t) => {
  const [deleted, takenDown] = [await createTestCode(app, owner), await createTestCode(app, owner)];
  await app.call('DELETE', `/api/qrcodes/${deleted.id}`, { token: owner.accessToken });
  await app.database.client.qrCode.update({ where: { id: takenDown.id }, data: { takenDownAt: new Date() } });
  for (const { id, shortNumber } of [deleted, takenDown]) {
    const { status, headers } = await open(shortNumber);
    t.equal(status, 303);
    t.equal(headers.location, `/s/${id}`);
  }
});

t.test('a mistyped number is named at its field and costs no attempt', async (t) => {
  const number = generateShortNumber();
  const typed = `${number.slice(0, -1)}${number.endsWith('0') ? '1' : '0'}`;
  const options = { remoteAddress: '198.51.100.7' };
  for (let count = 0; count < 8; count += 1) {
    const { status, text } = await open(typed, options);
    t.equal(status, 400);
    t.match(text, `value="${typed}"`);
    t.match(text, 'aria-invalid="true" aria-describedby="number-error"');
    t.match(text, '<p class="wrong" id="number-error" role="alert">');
  }
  const problem = await open(typed, { ...options, headers: { accept: 'application/json' } });
  t.match(problem, { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ field: 'number' }] } });
  const hostile = await open('"><script>alert(1)</script>', options);
  t.equal(hostile.status, 400);
  t.notMatch(hostile.text, '<script>');
  t.equal((await open('x'.repeat(3_000), options)).status, 400);
});

t.test('a network with five numbers that nobody has waits, and others do not', async (t) => {
  const { id, shortNumber } = await createTestCode(app, owner);
  const options = { remoteAddress: '203.0.113.9' };
  for (let count = 0; count < 5; count += 1) {
    t.equal((await open(shortNumber, options)).status, 303, 'a right one costs nothing');
    const { status, text } = await open(generateShortNumber(), options);
    t.equal(status, 404);
    t.match(text, 'id="number-error"');
  }
  for (const number of [generateShortNumber(), shortNumber]) {
    const { status, text, headers } = await open(number, { remoteAddress: '203.0.113.77' });
    t.equal(status, 429, 'nothing tells right from wrong');
    t.match(text, 'id="number-error"');
    t.ok(Number(headers['retry-after']) > 0);
  }
  const problem = await open(shortNumber, { ...options, headers: { accept: 'application/json' } });
  t.match(problem, { status: 429, body: { code: 'RATE_LIMITED' } });
  const other = await open(shortNumber, { remoteAddress: '203.0.114.9' });
  t.match(other, { status: 303, headers: { location: `/s/${id}` } });
});
