import {
  createConversationFormToken,
  createVisitFormToken,
} from '../../../src/features/finder/form-token.ts';
import { generateAbsentId, type TestApp, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { findAuditEntries } from '../identity/accounts/helper.ts';
import { startScans } from '../scans/helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const tokenIn = (page: TestResponse) => /name="visit" value="([^"]+)"/.exec(page.text)?.[1] ?? '';

const post = ({ call }: Pick<TestApp, 'call'>, id: string, body: string, headers = FORM) =>
  call('POST', `/s/${id}/pin`, { body, headers });

t.test('a finder enters the PIN without script', async (t) => {
  const test = await startScans(t);
  const { call, code, database } = test;
  const data = { name: 'Rex', owner: { name: 'Ada', phone: '+49 170 1234567' } };
  const id = await code({ data, pin: '0047' });
  const page = await call('GET', `/s/${id}`);
  const visit = tokenIn(page);
  t.match(page.text, `<form method="post" action="/s/${id}/pin?lang=en#answer">`);
  t.match(page.text, '<label for="pin">');
  t.notOk(page.text.includes('Ada'));

  await t.test('a wrong PIN shows the page with the remaining attempts', async (t) => {
    const trail = await captureAuditEntries(test, async () => {
      const wrong = await post(test, id, `visit=${visit}&pin=9999`);
      t.equal(wrong.status, 403);
      t.match(wrong.text, 'Wrong PIN. You have 4 attempts left.');
      t.match(wrong.text, '<h1>Rex</h1>');
      t.match(wrong.text, 'role="alert"');
      t.equal(tokenIn(wrong).split('.')[0], visit.split('.')[0], 'the same visit');
      t.notOk(/9999|Ada/.test(wrong.text));
    });
    t.match(trail, [{ action: 'PIN_REJECTED', outcome: 'DENIED', resourceId: id }]);
    const odd = await post(test, id, `visit=${visit}&pin=abc`);
    t.equal(odd.status, 400);
    t.match(odd.text, 'Enter a PIN with 4 to 12 digits.');
  });

  await t.test('the correct PIN shows the rest, and one visit is one scan', async (t) => {
    const open = await post(test, id, `visit=${visit}&pin=00+47`);
    t.equal(open.status, 200);
    t.match(open.text, 'href="tel:+491701234567"');
    t.notMatch(open.text, 'name="pin"');
    const rows = await database.client.scan.findMany({ where: { qrCodeId: id } });
    t.equal(rows.length, 1);
    t.ok(rows[0]?.unlockedAt);
    t.equal((await findAuditEntries(test, 'SCAN_UNLOCKED')).length, 1);
  });

  await t.test('a form that is expired, forged or of another code is shown again', async (t) => {
    const other = await code({ data, pin: '0047' });
    const foreign = tokenIn(await call('GET', `/s/${other}`));
    const [scanId, , signature] = visit.split('.');
    const ended = `${scanId}.1.${signature}`;
    for (const token of ['', 'x', foreign, `${visit}x`, ended]) {
      const stale = await post(test, id, `visit=${encodeURIComponent(token)}&pin=0047`);
      t.equal(stale.status, 403);
      t.match(stale.text, 'enter the PIN again');
      t.notOk(stale.text.includes('Ada'));
      t.equal((await post(test, id, `visit=${tokenIn(stale)}&pin=0047`)).status, 200);
    }
  });

  await t.test('accepts a PIN with spaces or with digits of another script', async (t) => {
    const plain = tokenIn(await call('GET', `/s/${id}`));
    for (const pin of ['٠٠ ٤٧', '००४७', '００４７', ' 0047 ']) {
      const typed = await post(test, id, String(new URLSearchParams({ visit: plain, pin })));
      t.equal(typed.status, 200, pin);
    }
    const pattern = /name="pin"[^>]* pattern="([^"]*)"/.exec(page.text)?.[1] ?? '';
    for (const pin of ['٠٠ ٤٧', '۰۰۴۷', '००४७', '0047']) t.match(pin, new RegExp(`^(?:${pattern})$`, 'v'));
  });

  await t.test('a rejected message or location form keeps the page unlocked', async (t) => {
    for (const [what, fields] of [
      ['message', 'message='],
      ['location', 'place='],
    ] as const) {
      const body = `visit=${visit}&${fields}`;
      const again = await call('POST', `/s/${id}/${what}`, { body, headers: FORM });
      t.equal(again.status, 400, what);
      t.match(again.text, 'href="tel:+491701234567"', what);
    }
    for (const [pin, status] of [
      ['x', 400],
      ['9999', 403],
    ] as const) {
      const refused = await post(test, id, `visit=${visit}&pin=${pin}`);
      t.match(refused, { status, text: /<h1>Rex/ });
      t.notMatch(refused.text, '+491701234567', 'a wrong PIN does not show the PIN fields');
    }
    const other = await code({ data, pin: '4711' });
    const swapped = createVisitFormToken(test.services.fieldCipher, other, visit.split('.')[0] ?? '');
    const response = await call('POST', `/s/${other}/message`, { body: `visit=${swapped}`, headers: FORM });
    t.match(response, { status: 400, text: /<h1>Rex/ });
    t.notMatch(response.text, 'Ada', 'it unlocks no other code');
  });

  await t.test('a form of a conversation, or of an absent visit, tries no PIN', async (t) => {
    const talk = createConversationFormToken(test.services.fieldCipher, {
      row: { id: visit.split('.')[0] ?? '', qrCodeId: id },
      side: 'FINDER',
    });
    t.match(await post(test, id, `visit=${talk}&pin=0047`), { status: 403, text: /enter the PIN again/ });
    const gone = createVisitFormToken(test.services.fieldCipher, id, generateAbsentId());
    t.equal((await post(test, id, `visit=${gone}&pin=0047`)).status, 404);
  });

  await t.test('rejects a malformed form', async (t) => {
    for (const [body, headers, status] of [
      ['{"pin":"0047"}', { 'content-type': 'application/json' }, 415],
      ['pin=0047', { 'content-type': 'text/plain' }, 415],
      ['--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
      [`visit=${visit}&pin=%00`, FORM, 400],
      [`visit=${visit}&pin=%ff`, FORM, 400],
      [`visit=${visit}&pin=%`, FORM, 400],
      ['pin=1&pin=2', FORM, 400],
      ['__proto__=1', FORM, 400],
      ['pin=ü', FORM, 400],
      [Array.from({ length: 21 }, (_, index) => `f${index}=1`).join('&'), FORM, 400],
      [`pin=${'1'.repeat(17_000)}`, FORM, 413],
    ] as const) {
      const answer = await post(test, id, body, headers as typeof FORM);
      t.equal(answer.status, status, body.slice(0, 40));
      t.match(answer.text, '<h1>That didn’t work</h1>');
    }
    t.equal((await post(test, 'x', 'pin=0047')).status, 404);
  });

  await t.test('without attempts left it is 429 with the public fields', async (t) => {
    const guarded = await code({ data, pin: '0047' });
    const token = tokenIn(await call('GET', `/s/${guarded}`));
    const said = [];
    for (let index = 0; index < 5; index++) {
      const wrong = await post(test, guarded, `visit=${token}&pin=9999`);
      t.equal(wrong.status, 403);
      said.push(/Wrong PIN\. ([^<]+)</.exec(wrong.text)?.[1]);
    }
    t.same(said, [
      'You have 4 attempts left.',
      'You have 3 attempts left.',
      'You have 2 attempts left.',
      'You have 1 attempt left.',
      'You have no attempts left. Try again in 15 minutes.',
    ]);
    const last = await post(test, guarded, `visit=${token}&pin=9999`);
    t.equal(last.status, 429);
    t.ok(Number(last.headers['retry-after']) > 60);
    t.match(last.text, /Too many attempts. Try again in 1\d minutes/);
    t.match(last.text, '<h1>Rex</h1>');
    t.equal((await call('GET', `/s/${guarded}`)).status, 200);
  });

  await t.test('asks to wait a few seconds while other PINs are compared', async (t) => {
    const guarded = await code({ data, pin: '0047' });
    const token = tokenIn(await call('GET', `/s/${guarded}`));
    await post(test, guarded, `visit=${token}&pin=9999`);
    const { rows } = await database.pool.query<{ key: string }>(
      "SELECT key FROM attempt_budgets WHERE key LIKE 'pin:%' AND used = 1",
    );
    const key = rows[0]?.key ?? '';
    const inFlightUntil = new Date(Date.now() + 60_000);
    await database.client.attemptBudget.updateMany({
      where: { key: { in: rows.map((row) => row.key) } },
      data: { used: 5, inFlight: 4, inFlightUntil },
    });
    t.not(key, '');
    const busy = await post(test, guarded, `visit=${token}&pin=0047`);
    t.equal(busy.status, 429);
    t.equal(busy.headers['retry-after'], '1');
    t.match(busy.text, 'Try again in a few seconds');
  });
});
