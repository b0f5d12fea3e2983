import { t } from '../../../tap.ts';
import { countStoredFiles, createTestPdf, uploadDocument } from '../../documents/upload.ts';
import { signIn, startOwner } from '../content/owner.ts';
import { sendFile } from './helper.ts';

t.test('a document is uploaded, opened, changed, deleted and restored', async (t) => {
  const { browser, api, path, test } = await startOwner(t);
  await browser.open(`${path}/documents`);
  t.match(browser.main, 'Keep passports');
  await browser.open(`${path}/documents/new`);
  const form = browser.page;
  await sendFile(browser, '/documents', createTestPdf('lease'), {
    kind: 'CONTRACT',
    note: 'Top <b>drawer</b>',
  });
  t.match(browser.main, 'The document is saved');
  t.equal(browser.title, 'paper.pdf', 'named after its file');
  browser.page = form;
  await sendFile(browser, '/documents', createTestPdf('lease'), {
    kind: 'CONTRACT',
    note: 'Top <b>drawer</b>',
  });
  const { data } = (await api('GET', '/api/documents')).body;
  t.match(data, [{ title: 'paper.pdf', kind: 'CONTRACT' }]);
  t.equal(data.length, 1, 'a form that is sent twice adds one');

  const address = `${path}/documents/${data[0].id}`;
  const content = await browser.open(`${address}/content`);
  t.match(content.headers, {
    'content-disposition': /^attachment; filename="paper.pdf"/,
    'cache-control': 'no-store',
    'content-security-policy': /sandbox/,
  });
  t.match((await browser.open(`${address}/content?inline=true`)).headers, {
    'content-disposition': /^inline/,
    'content-security-policy': /sandbox/,
  });

  await browser.open(`${address}/details`);
  t.match(browser.main, 'Top <b>drawer</b></textarea>');
  t.notMatch(browser.page.text, '<b>drawer');
  const stale = browser.page;
  await browser.fill('/details', { title: 'Lease', expiresOn: '2031-05-01', note: '' });
  t.match(browser.main, 'Saved.');
  t.match((await api('GET', `/api/documents/${data[0].id}`)).body, {
    title: 'Lease',
    expiresOn: '2031-05-01',
    note: null,
  });
  browser.page = stale;
  await browser.fill('/details', { title: 'Rent' });
  t.equal(browser.page.status, 412);
  t.match(browser.main, 'value="Rent"', 'what was entered is still there');
  await browser.fill('/details', { title: '' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="title-error"');

  await browser.open(`${path}/documents?search=lea&kind=CONTRACT&sort=expiresOn`);
  t.match(browser.main, 'Lease');
  await browser.open(`${path}/documents?search=nothing`);
  t.match(browser.main, 'No document matches.');

  const other = await signIn(test);
  for (const part of ['', '/content', '/versions', '/accesses', '/details', '/versions/new'])
    t.equal((await other.browser.open(`${address}${part}`)).status, 404, part);
  await browser.open(`${address}/details`);
  await browser.send('/delete');
  t.match(browser.main, 'The document is deleted.');
  t.same((await api('GET', '/api/documents')).body.data, []);
  await browser.send('/restore');
  t.match(browser.main, 'The document is back');
  t.equal(browser.title, 'Lease');

  await browser.open(`${address}/details`);
  await browser.send('/delete');
  await browser.open(`${path}/documents/deleted`);
  t.match(browser.main, /Lease.*Gone for good in (29|30) days/s);
  await other.browser.open(`${path}/documents/deleted`);
  t.equal(other.browser.page.status, 404);
  await browser.send('/purge');
  t.match(browser.main, /gone for good.*No deleted documents/s);
  t.match(await countStoredFiles(test), { rows: 0, files: 0 });
});

t.test('a refused upload keeps no file and says why at its field', async (t) => {
  const { browser, path, test } = await startOwner(t);
  await browser.open(`${path}/documents/new`);
  const form = browser.page;
  const refuse = async (content: Buffer, changes: Record<string, string> = {}, fileName?: string) => {
    browser.page = form;
    await sendFile(browser, '/documents', content, changes, fileName);
    return { status: browser.page.status, main: browser.main };
  };
  t.match(await refuse(Buffer.from('MZ\u0000\u0001')), {
    status: 415,
    main: /id="file-error">We don’t take/,
  });
  t.match(await refuse(Buffer.alloc(0), {}, ''), { status: 400, main: /id="file-error">Please choose/ });
  t.match(await refuse(createTestPdf(), { expiresOn: 'soon' }), {
    status: 400,
    main: /id="expiresOn-error"/,
  });
  t.match(await refuse(createTestPdf(), { kind: 'SECRET' }), { status: 400, main: /id="kind-error"/ });
  t.match(await refuse(createTestPdf(), { token: 'forged' }), { status: 403 });
  t.match(await countStoredFiles(test), { rows: 0, files: 0 });
});

t.test('versions are added, downloaded, restored and deleted', async (t) => {
  const { browser, user, path, test } = await startOwner(t);
  const { id } = (await uploadDocument(test, user.accessToken, createTestPdf('first'))).body;
  const address = `${path}/documents/${id}`;
  await browser.open(`${address}/versions/new`);
  await sendFile(browser, '/versions', createTestPdf('second'), {}, 'new.pdf');
  t.match(browser.main, /The new version is saved.*Version 2.*new\.pdf.*Version 1/s);
  t.match((await browser.open(`${address}/content?version=1`)).text, '% first');
  t.match((await browser.open(`${address}/content`)).text, '% second');
  await browser.open(`${address}/versions`);
  t.equal(browser.findForm('/versions/2/delete'), null, 'the current one stays');
  await browser.send('/versions/1/restore');
  t.match(browser.main, /is the current one now.*Version 2<.*Version 1 <span class="chip">current/s);
  t.match((await browser.open(`${address}/content`)).text, '% first');
  await browser.open(`${address}/versions`);
  await browser.send('/versions/2/restore');
  t.match(browser.main, /Version 2 <span class="chip">current/);
  await browser.send('/versions/1/delete');
  t.match(browser.main, 'The version is deleted.');
  t.equal((await browser.open(`${address}/content?version=1`)).status, 404);
  await browser.open(`${address}/versions/new`);
  await sendFile(browser, '/versions', Buffer.from('MZ\u0000\u0001'));
  t.equal(browser.page.status, 415);
  t.match(browser.main, 'id="file-error"');
});

t.test('each view of a health document is audited once, and its title stays out of the tab', async (t) => {
  const { browser, user, path, test } = await startOwner(t);
  const fields = { title: 'HIV test', kind: 'HEALTH' };
  const { id } = (await uploadDocument(test, user.accessToken, createTestPdf(), fields)).body;
  const where = { action: 'HEALTH_DOCUMENT_VIEWED', resourceId: id };
  const count = () => test.database.client.auditEntry.count({ where });
  const before = await count();
  for (const [index, part] of ['', '/versions', '/details'].entries()) {
    await browser.open(`${path}/documents/${id}${part}`);
    t.match(browser.title, 'HIV test');
    t.notMatch(/<title>.*<\/title>/.exec(browser.page.text)?.[0], 'HIV');
    t.equal(await count(), before + index + 1, part);
  }
});
