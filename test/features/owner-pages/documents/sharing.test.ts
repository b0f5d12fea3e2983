import { generateId } from '../../../../src/shared/ids.ts';
import { TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { setPackageLimit } from '../../billing/subscriptions/subscription-helper.ts';
import { createTestPdf, uploadDocument } from '../../documents/upload.ts';
import { enableSecondFactor, generateUnusedTotpCode } from '../../identity/second-factor/helper.ts';
import { TestBrowser } from '../browser.ts';
import { signIn, startOwner } from '../content/owner.ts';

const DAY_MS = 86_400_000;

t.test('a document is shared for a day with one button, and the link is ended', async (t) => {
  const { browser, user, api, path, test } = await startOwner(t);
  const { id } = (await uploadDocument(test, user.accessToken, createTestPdf(), { title: 'Lease' })).body;
  const address = `${path}/documents/${id}`;
  await browser.open(`${path}/documents`);
  t.match(browser.main, `href="${address}#share"`);
  await browser.open(address);
  t.match(browser.main, '<button>Share for a day</button>');
  const form = browser.page;
  await browser.send('/shares');
  const link = /<pre id="link"[^>]*>([^<]*)</.exec(browser.main)?.[1] ?? '';
  t.match(link, /^https:\/\/qr\.example\.org\/s\/d\/[\w-]+$/);
  browser.page = form;
  await browser.send('/shares');
  t.match(browser.main, link, 'a form that is sent twice shows the same link');
  const listShares = async () => (await api('GET', `/api/documents/${id}/shares`)).body.data;
  const [share] = await listShares();
  t.equal((await listShares()).length, 1);
  const lifetime = Date.parse(share.expiresAt) - Date.parse(share.createdAt);
  t.ok(Math.abs(lifetime - DAY_MS) < DAY_MS / 24, 'for a day');
  const preview = () => test.call('GET', `/api/documents/shared/${link.split('/').at(-1)}`);
  t.match(await preview(), { status: 200, body: { title: 'Lease' } });

  await test.call('POST', `/api/documents/shared/${link.split('/').at(-1)}/open`, { body: {} });
  await browser.open(`${address}/accesses`);
  t.match(browser.main, /Somebody with a link.*Version 1/s);

  await browser.open(address);
  t.match(browser.main, 'Opened once.');
  t.notMatch(browser.page.text, link, 'it is shown once');
  await browser.send(`/shares/${share.id}/end`);
  t.match(browser.main, 'The link no longer works.');
  t.equal((await preview()).status, 404);

  const other = await signIn(test);
  t.equal((await other.browser.open(address)).status, 404);
  const token = { token: other.browser.readForm('/sign-out').fields.token ?? '' };
  const body = String(new URLSearchParams(token));
  t.equal((await other.browser.open(`${address}/shares`, { method: 'POST', body })).status, 404);
});

t.test('a link has a passcode and a number of times, and what is wrong stands at its field', async (t) => {
  const { browser, user, api, path, test } = await startOwner(t);
  const { id } = (await uploadDocument(test, user.accessToken)).body;
  await browser.open(`${path}/documents/${id}`);
  const form = browser.page;
  const wrong = { duration: '', passcode: '1', maxViews: 'two' };
  await browser.send('/shares', wrong);
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="passcode-error"');
  t.match(browser.main, /<details open>.*value="two"/s, 'what was entered is shown');
  t.match(browser.main, 'id="maxViews-error"');
  browser.page = form;
  const session = browser.cookies.get('__Host-session') ?? '';
  browser.cookies.delete('__Host-session');
  await browser.send('/shares', { duration: '', passcode: '4711' });
  t.equal(browser.page.status, 401);
  t.notMatch(browser.page.text, 'name="draft"', 'without its passcode, it would be another link');
  browser.cookies.set('__Host-session', session);
  browser.page = form;
  await browser.send('/shares', { duration: '', passcode: '4711', maxViews: '1' });
  t.match(browser.main, 'It works until you end it.');
  t.match((await api('GET', `/api/documents/${id}/shares`)).body.data, [
    { passcodeRequired: true, maxViews: 1, expiresAt: null },
  ]);
});

t.test('in enterprise mode a health document has no link without a passcode', async (t) => {
  const { user, path, test } = await startOwner(t);
  const { secret } = await enableSecondFactor(test, user);
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in');
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  await browser.send('/second-factor', { code: await generateUnusedTotpCode(test, secret) });
  const fields = { title: 'X-ray', kind: 'HEALTH' };
  const { id } = (await uploadDocument(test, user.accessToken, createTestPdf(), fields)).body;
  await browser.open(`${path}/documents/${id}`);
  const { fields: oneDay, action } = browser.readForm('/shares');
  const { client } = test.database;
  await client.user.update({ where: { id: user.id }, data: { enterpriseMode: true } });
  await browser.open(`${path}/documents/${id}`);
  t.match(browser.main, 'works for 7 days at most');
  t.notMatch(browser.main, 'Share for a day');
  await browser.open(action, { method: 'POST', body: String(new URLSearchParams(oneDay)) });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="passcode-error"');
  t.equal(await client.documentShare.count({ where: { documentId: id } }), 0);
  await browser.fill('/shares', { passcode: 'sesame' });
  t.match(browser.main, '<pre id="link"');

  // The last of the 100 titles that the page of a code lets choose from.
  const { accountId } = await client.document.findUniqueOrThrow({ where: { id } });
  for (let index = 0; index < 99; index += 1) {
    const [documentId, fileId] = [generateId(), generateId()];
    await client.storedFile.create({
      data: { id: fileId, accountId, name: `${fileId}12345678`, fileKey: Buffer.alloc(60) },
    });
    await client.document.create({ data: { id: documentId, accountId, title: 'Note' } });
    const version = { number: 1, fileId, fileName: Buffer.alloc(40), contentType: 'text/plain', size: 5n };
    await client.documentVersion.create({ data: { id: generateId(), documentId, accountId, ...version } });
  }
  const body = { kind: 'DOCUMENT', title: 'Papers', data: { name: 'Papers' } };
  const code = (await test.call('POST', '/api/qrcodes', { token: user.accessToken, body })).body;
  t.same(await captureAuditEntries(test, () => browser.open(`${path}/codes/${code.id}`)), []);
  t.notMatch(browser.main, 'X-ray', 'nothing is listed before somebody wants to choose');
  t.match(browser.main, `href="${path}/codes/${code.id}/documents">Choose a document`);
  const trail = await captureAuditEntries(test, () => browser.open(`${path}/codes/${code.id}/documents`));
  t.match(browser.main, '>X-ray</option>');
  t.match(trail, [{ action: 'HEALTH_DOCUMENT_LISTED', resourceId: id }]);
});

t.test('people get access, find the document in their list, and lose it', async (t) => {
  const { browser, user, path, test } = await startOwner(t);
  const { id } = (await uploadDocument(test, user.accessToken, createTestPdf('lease'))).body;
  const reader = await signIn(test);
  const address = `${path}/documents/${id}`;
  await browser.open(address);
  await browser.fill('/grants', { email: user.email });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="email-error">This is your own address.');
  await browser.fill('/grants', { email: 'nobody' });
  t.match(browser.main, 'id="email-error">This is not a complete email address.');
  await browser.fill('/grants', { email: reader.user.email });
  t.match(browser.main, 'Access is given.');
  t.match(browser.main, reader.user.email);

  await reader.browser.open(`${reader.path}/documents/received`);
  t.match(reader.browser.main, 'paper.pdf');
  const content = /href="([^"]*\/received\/[^"]*\/content)"/.exec(reader.browser.main)?.[1] ?? '';
  t.match((await reader.browser.open(content)).text, '% lease');
  await browser.open(`${address}/accesses`);
  t.match(browser.main, 'Ada');
  t.equal((await browser.open(content.replace(reader.path, path))).status, 404, 'of the recipient only');

  await browser.open(address);
  const grant = /\/grants\/([\w-]+)\/revoke/.exec(browser.main)?.[1] ?? '';
  await browser.send(`/grants/${grant}/revoke`);
  t.match(browser.main, 'Access is taken back.');
  t.equal((await reader.browser.open(content)).status, 404);

  await browser.fill('/grants', { email: reader.user.email });
  await reader.browser.open(`${reader.path}/documents/received`);
  await reader.browser.send('/decline');
  t.match(reader.browser.main, /no longer in your list.*Nobody has shared/s);
});

t.test('a document is shown on the page of a code, chosen on the page of either', async (t) => {
  const { browser, api, user, path, test } = await startOwner(t);
  const upload = async (title: string): Promise<string> =>
    (await uploadDocument(test, user.accessToken, createTestPdf(title), { title })).body.id;
  const [first, second] = [await upload('Manual'), await upload('Warranty')];
  await browser.open(`${path}/documents/${first}`);
  t.notMatch(browser.main, 'name="qrCodeId"', 'without such a code');
  const body = { kind: 'DOCUMENT', title: 'Washing <b>machine</b>', data: { name: 'Papers' } };
  const code = (await api('POST', '/api/qrcodes', body)).body.id;

  const choice = `${path}/codes/${code}/documents`;
  await browser.open(choice);
  await browser.send('/documents', { documentId: first });
  t.match(browser.main, /shows the document now.*href="[^"]*\/documents\/[0-9a-f]{24}"><bdi>Manual/s);
  await browser.open(choice);
  t.notMatch(browser.main, `<option value="${first}"`);
  await browser.open(`${path}/documents/${first}`);
  t.match(browser.main, /On the page of <a [^>]*><bdi>Washing <b>machine/);

  await browser.open(`${path}/documents/${second}`);
  await browser.send('/shares', { duration: '', qrCodeId: code });
  t.equal(browser.title, 'Your link is ready');
  const page = (await test.call('GET', `/s/${code}`)).text;
  t.match(page, 'Manual');
  t.match(page, 'Warranty');
  await browser.open(`${path}/documents/${first}`);
  await browser.send('/end');
  t.notMatch((await test.call('GET', `/s/${code}`)).text, 'Manual');

  const share = (documentId: string) =>
    api('POST', `/api/documents/${documentId}/shares`, { qrCodeId: code });
  await browser.open(choice);
  const form = browser.page;
  await setPackageLimit(test, 'FREE', { documents: null, storageBytes: null });
  const more: string[] = [];
  for (let index = 0; index < 5; index += 1) more.push(await upload(`Page ${index}`));
  const answers = await Promise.all(more.map(share));
  t.same(
    answers.map(({ status, body }) => (status === 201 ? status : body.code)).toSorted(),
    [201, 201, 201, 201, 'TOO_MANY_OFFERED_DOCUMENTS'],
    'five at most, also at once',
  );
  t.match((await test.call('GET', `/s/${code}`)).text, 'Warranty', 'the oldest stays');
  browser.page = form;
  await browser.send('/documents', { documentId: first });
  t.match(browser.main, 'shows five documents at most');
  t.notMatch(browser.main, `href="${choice}"`);
  const text = { kind: 'TEXT', title: 'A', data: { text: 'B' } };
  const unsuited = (await api('POST', '/api/qrcodes', text)).body.id;
  t.equal((await browser.open(`${path}/codes/${unsuited}/documents`)).status, 404, 'another kind shows none');
  await browser.open(`${path}/documents/${first}`);
  await browser.send('/shares', { duration: '', qrCodeId: code });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'shows five documents at most');
  await browser.open(`${path}/documents/${second}`);
  await browser.send('/end');

  const other = await signIn(test);
  const theirs = (await uploadDocument(test, other.user.accessToken, createTestPdf())).body.id;
  await browser.open(choice);
  await browser.send('/documents', { documentId: theirs });
  t.equal(browser.page.status, 404, 'a document of somebody else');
});
