import { TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../memory-tags/gallery-helper.ts';
import { signInBrowser } from './signed-in-browser.ts';
import { HOSTILE, startStaff } from './staff-helper.ts';

const REPORTS = '/app/staff/reports';

t.test('an administrator takes a reported code down and comes to the next one', async (t) => {
  const test = await startStaff(t);
  const { browser } = await test.signIn('ADMIN');
  const next = await test.createCode({ title: 'Bella' });
  const id = await test.createCode({ title: HOSTILE });
  await test.report(next, { category: 'OTHER' });
  await test.report(id, { category: 'PRIVACY', note: `${HOSTILE} my address` });
  await browser.open(REPORTS);
  t.match(browser.page.text, new RegExp(`href="${REPORTS}/${id}"`));
  const trail = await captureAuditEntries(test, () => browser.open(`${REPORTS}/${id}`));
  t.match(trail, [{ action: 'QRCODE_REPORTS_READ', severity: 'HIGH' }]);
  t.equal(trail.length, 1);
  t.ok(browser.title.includes(HOSTILE));
  t.match(browser.main, `href="/app/staff/users/${test.owner.id}"`);
  t.match(browser.main, 'Privacy violation');
  t.ok(browser.main.includes(`${HOSTILE} my address`));
  t.notMatch(browser.page.text, '<img src=x', 'what others wrote is text');
  t.match(browser.main, 'An administrator took down your code', 'what the owner is told');
  t.match(browser.page.text, `<iframe class="preview" src="/app/staff/codes/${id}/page"`);
  t.equal(browser.readForm('/takedown').fields.category, 'PRIVACY', 'what the report says');

  await browser.fill('/takedown', { reason: ' ' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /<p class="error" id="reason-error">/);
  await browser.fill('/takedown', { category: 'FRAUD', reason: `It asks for bank data. ${HOSTILE}` });
  t.equal(browser.path, `${REPORTS}/${next}?done=taken-down&of=${id}`);
  t.match(browser.main, 'Taken down. The owner gets your reason by email.');
  t.match(browser.main, `<a href="${REPORTS}/${id}">Open that case again</a>`);
  t.equal((await test.call('GET', `/s/${id}`, { headers: { accept: 'text/html' } })).status, 410);
  const mail = await test.getMailBySubject(test.owner.email, /taken down/);
  t.match(mail?.text, 'It asks for bank data.');
  t.match(await test.database.client.qrCodeReport.findFirst({ where: { qrCodeId: id } }), {
    decision: 'TAKEN_DOWN',
  });

  await browser.send('/dismiss');
  t.equal(browser.path, `${REPORTS}?done=dismissed&of=${next}`, 'there is no other');
  t.match(browser.main, 'Reports dismissed.');
  t.match(browser.main, 'Nobody has reported a code.');
  t.equal((await browser.open(`/app/staff/codes/${next}/page`)).status, 404, 'what is decided is closed');
  await browser.open(`${REPORTS}/${next}`);
  t.match(browser.main, 'This case is closed.');
});

t.test('a decision that somebody else took is not taken twice, and one can be undone', async (t) => {
  const test = await startStaff(t);
  const { user, browser } = await test.signIn('ADMIN');
  const id = await test.createCode({});
  await test.report(id);
  await browser.open(`${REPORTS}/${id}`);
  await test.takeDown(id, user);
  await browser.fill('/takedown', { reason: 'It asks for bank data.' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Somebody else has decided this in the meantime.');
  t.match(browser.main, /Last takedown.*Fraud or scam.*It asks for bank data\./s);
  t.notOk(browser.findForm('/takedown'));
  const trail = await captureAuditEntries(test, () => browser.open(`${REPORTS}/${id}`));
  t.match(trail, [{ action: 'QRCODE_REPORTS_READ' }, { action: 'QRCODE_TAKEDOWN_READ' }]);
  await browser.send('/reinstate', { answer: 'The page is fine now.' });
  t.match(browser.main, 'Available again.');
  t.match((await test.getMailBySubject(test.owner.email, /available again/))?.text, 'The page is fine now.');
  await browser.open(`${REPORTS}/${id}`);
  t.match(browser.main, 'available again since');
  t.ok(browser.findForm('/takedown'));
});

t.test('the page beside the decision leaves no scan and shows what finders see', async (t) => {
  const test = await startStaff(t);
  const { user, browser } = await test.signIn('ADMIN');
  const token = test.owner.accessToken;
  const id = await test.createCode({
    pin: '4711',
    data: { name: 'Rex', breed: 'Border Collie', notes: 'secret word' },
    visibility: { name: 'PUBLIC', breed: 'PUBLIC', notes: 'PIN', pictures: 'PIN' },
  });
  const { body: picture } = await test.call('POST', `/api/qrcodes/${id}/pictures`, {
    token,
    ...createPictureForm(ONE_PIXEL_PNG),
  });
  const path = `/app/staff/codes/${id}/page`;
  t.equal((await browser.open(path)).status, 404, 'nobody has reported it');
  await test.report(id);
  const check = async () => {
    const page = await browser.open(path);
    t.equal(page.status, 200);
    t.match(page.headers['content-security-policy'], "frame-ancestors 'self'");
    t.match(page.text, 'Border Collie');
    t.notMatch(page.text, 'secret word', 'without the PIN');
    return page;
  };
  const trail = await captureAuditEntries(test, check);
  t.match(trail, [{ action: 'QRCODE_PAGE_REVIEWED', severity: 'HIGH', outcome: 'SUCCESS' }]);
  await test.takeDown(id, user);
  await check();
  t.equal(await test.database.client.scan.count(), 0);
  t.equal(
    (await browser.open(`/app/staff/codes/${id}/pictures/${picture.id}`)).status,
    404,
    'behind the PIN',
  );
  await test.call('DELETE', `/api/qrcodes/${id}`, { token });
  t.equal((await browser.open(path)).status, 404);
  await browser.open(`${REPORTS}/${id}`);
  t.match(browser.main, 'The owner has deleted this code.');
});

t.test('pictures of a code that is taken down stay visible beside the decision', async (t) => {
  const test = await startStaff(t);
  const { user, browser } = await test.signIn('ADMIN');
  const id = await test.createCode({ visibility: { name: 'PUBLIC' } });
  const { body: picture } = await test.call('POST', `/api/qrcodes/${id}/pictures`, {
    token: test.owner.accessToken,
    ...createPictureForm(ONE_PIXEL_PNG),
  });
  await test.takeDown(id, user);
  const page = await browser.open(`/app/staff/codes/${id}/page`);
  const [, address = ''] = /src="(\/app\/staff\/codes\/[^"]*)"/.exec(page.text) ?? [];
  t.match(address, picture.id);
  t.match((await browser.open(address.replaceAll('&#38;', '&'))).headers['content-type'], /^image\//);
  const other = await test.createCode({});
  await test.report(other);
  t.equal((await browser.open(`/app/staff/codes/${other}/pictures/${picture.id}`)).status, 404);
});

t.test('the page of a medical code is not shown, and a code without a case has none', async (t) => {
  const test = await startStaff(t);
  const { browser } = await test.signIn('ADMIN');
  const id = await test.createCode({
    kind: 'MEDICAL',
    title: 'Bracelet of Ada',
    data: { name: 'Ada', notes: 'a medical fact' },
    visibility: { name: 'PUBLIC', notes: 'PUBLIC' },
  });
  await test.report(id);
  await browser.open(`${REPORTS}/${id}`);
  t.match(browser.main, 'Pages about somebody’s health aren’t shown here.');
  t.notMatch(browser.page.text, 'a medical fact');
  t.match(browser.page.text, '<title>Medical ID – ', 'the history of the browser does not name it');
  t.equal((await browser.open(`/app/staff/codes/${id}/page`)).status, 404);
  const other = await test.createCode({});
  t.equal((await browser.open(`${REPORTS}/${other}`)).status, 404);
});

t.test('many reports of a code are read page by page', async (t) => {
  const test = await startStaff(t);
  const { browser } = await test.signIn('ADMIN');
  const id = await test.createCode({});
  for (let index = 1; index <= 12; index += 1)
    await test.call('POST', `/api/qrcodes/${id}/reports`, {
      body: { category: 'OTHER', note: `note ${index}. ${'x'.repeat(480)}` },
      remoteAddress: `192.0.2.${index}`,
    });
  await browser.open(`${REPORTS}/${id}`);
  t.match(browser.main, 'note 12.');
  t.ok(Buffer.byteLength(browser.page.text) < 30_000, `${Buffer.byteLength(browser.page.text)} bytes`);
  t.notMatch(browser.main, 'note 2.');
  const [, older = ''] = /href="([^"]*cursor=[^"]*)"/.exec(browser.main) ?? [];
  await browser.open(older);
  t.match(browser.main, 'note 2.');
  t.ok(browser.findForm('/dismiss'));
});

t.test('a decision that needs a sign-in first is sent again by staff only', async (t) => {
  const test = await startStaff(t);
  const { user } = await test.signIn('ADMIN');
  const id = await test.createCode({});
  await test.report(id);
  const send = async (email: string) => {
    const browser = await signInBrowser(test, user);
    await browser.open(`${REPORTS}/${id}`);
    await test.database.client.session.updateMany({ data: { endedAt: new Date(), endReason: 'LOGOUT' } });
    await browser.fill('/takedown', { reason: 'It asks for bank data.' });
    t.equal(browser.title, 'Sign in');
    t.notOk(browser.findForm('/takedown'));
    await browser.send('/sign-in', { email, password: TEST_PASSWORD });
    return browser;
  };
  t.notMatch((await send(test.owner.email)).page.text, 'It asks for bank data.');
  const browser = await send(user.email);
  await browser.send('/takedown');
  t.match(browser.main, 'Taken down.');
});

t.test(
  'the whole address that a code leads to is a text beside the decision, unless it needs the PIN',
  async (t) => {
    const test = await startStaff(t);
    const { browser } = await test.signIn('ADMIN');
    const url = 'https://example.com/claim?prize=1';
    const open = await test.createCode({ kind: 'URL', data: { url } });
    const locked = await test.createCode({
      kind: 'URL',
      data: { url },
      pin: '4711',
      visibility: { url: 'PIN' },
    });
    for (const id of [open, locked]) {
      await test.report(id);
      await browser.open(`${REPORTS}/${id}`);
      t.equal(browser.main.includes(url), id === open);
      t.notMatch(browser.page.text, `href="${url}"`);
    }
  },
);
