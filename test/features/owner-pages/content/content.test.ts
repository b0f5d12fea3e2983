import { QR_CODE_KINDS } from '../../../../src/features/codes/index.ts';
import { t } from '../../../tap.ts';
import { signIn, startOwner } from './owner.ts';

t.test('the form of every kind, sent unchanged, changes nothing', async (t) => {
  const { browser, api, path } = await startOwner(t);
  for (const { kind, example } of QR_CODE_KINDS) {
    const { id } = (await api('POST', '/api/qrcodes', { kind, title: kind, data: example })).body;
    const before = (await api('GET', `/api/qrcodes/${id}`)).body;
    await browser.open(`${path}/codes/${id}/content`);
    t.equal(browser.title, kind);
    await browser.fill('/content');
    t.match(browser.main, 'Saved.', kind);
    const after = (await api('GET', `/api/qrcodes/${id}`)).body;
    t.same(after, before, kind);
    await browser.fill('/content', { title: 'Other title' });
    const changed = (await api('GET', `/api/qrcodes/${id}`)).body;
    t.same(
      [changed.title, changed.data, changed.visibility],
      ['Other title', before.data, before.visibility],
    );
  }
});

t.test('fields and who sees them are changed, and a stranger sees so many', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const data = { name: 'Rex', owner: { name: 'Anna' }, allergies: [{ name: 'Chicken' }, { name: 'Wheat' }] };
  const { id } = (await api('POST', '/api/qrcodes', { kind: 'PET', title: 'Rex', data })).body;
  await browser.open(`${path}/codes/${id}/content`);
  t.match(browser.main, 'A stranger sees 1 of 3 fields.');
  await browser.fill('/content', {
    'data.reward': '100 EUR',
    'data.allergies[0].remove': '1',
    'data.allergies[2].name': 'Fish',
    'data.allergies[2].severity': 'SEVERE',
    'visibility.allergies': 'PUBLIC',
    'visibility.owner': 'PIN',
  });
  t.match(browser.main, 'A stranger sees 3 of 4 fields.');
  t.match(browser.main, 'You have no PIN yet');
  const code = (await api('GET', `/api/qrcodes/${id}`)).body;
  t.same(code.data, {
    name: 'Rex',
    owner: { name: 'Anna' },
    allergies: [{ name: 'Wheat' }, { name: 'Fish', severity: 'SEVERE' }],
    reward: '100 EUR',
  });
  t.match(code.visibility, { allergies: 'PUBLIC', owner: 'PIN', emergencyContacts: 'PRIVATE' });
});

t.test('a PIN is set, changed and removed, and opens nothing that was only for the owner', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const data = { name: 'Rex', owner: { name: 'Anna' } };
  const { id } = (await api('POST', '/api/qrcodes', { kind: 'PET', title: 'Rex', data })).body;
  await browser.open(`${path}/codes/${id}/content`);
  await browser.fill('/content', { 'data.reward': '100 EUR' });
  await browser.fill('/pin', { pin: '12' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'Enter a PIN with 4 to 12 digits.');
  await browser.fill('/pin', { pin: '٢٤٦٨' });
  t.match(browser.main, 'The PIN is set.');
  const code = (await api('GET', `/api/qrcodes/${id}`)).body;
  t.match(code, { hasPin: true, visibility: { owner: 'PRIVATE' } });
  t.notMatch(browser.page.text, /\b2468\b/);
  await browser.fill('/pin', { remove: '1' });
  t.match(browser.main, 'The PIN is removed.');
  t.match((await api('GET', `/api/qrcodes/${id}`)).body, { hasPin: false, visibility: { owner: 'PRIVATE' } });
});

t.test('errors stand at their fields, and nothing is stored', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id } = (await api('POST', '/api/qrcodes', body)).body;
  await browser.open(`${path}/codes/${id}/content`);
  await browser.fill('/content', {
    title: ' ',
    'data.name': '',
    'data.weightKg': '-3',
    'data.bornOn': 'x',
    'data.vaccinations[0].batch': 'A1',
    'visibility.name': 'EVERYBODY',
  });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="title-error">Please fill this in/);
  t.match(browser.main, /id="data\.name-error">Please fill this in/);
  t.match(browser.main, /id="data\.weightKg-error">This number is too small/);
  t.match(browser.main, /id="data\.bornOn-error">This is not a date/);
  t.match(browser.main, /id="data\.vaccinations\[0\]\.name-error">Please fill this in/);
  t.equal(/<h1[^>]*>Rex<\/h1>/.test(browser.page.text), true, 'the title is the stored one');
  t.match((await api('GET', `/api/qrcodes/${id}`)).body, { version: 1, data: { name: 'Rex' } });
});

t.test('what two people change is merged, and what both change is shown side by side', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const data = { name: 'Rex', notes: 'Shy', reward: '10 EUR' };
  const { id } = (await api('POST', '/api/qrcodes', { kind: 'PET', title: 'Rex', data })).body;
  const readCode = async () => (await api('GET', `/api/qrcodes/${id}`)).body;
  await browser.open(`${path}/codes/${id}/content`);
  const { page } = browser;
  await api('PATCH', `/api/qrcodes/${id}`, { data: { ...data, reward: '<b>20</b> EUR' } });
  await browser.fill('/content', { 'data.notes': 'Friendly' });
  t.match(browser.main, 'Saved.');
  t.same((await readCode()).data, { ...data, notes: 'Friendly', reward: '<b>20</b> EUR' });

  browser.page = page;
  await browser.fill('/content', { 'data.notes': 'Friendly', 'data.reward': '30 EUR', 'data.name': 'Max' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Somebody else changed this code meanwhile.');
  t.match(browser.page.text, /Now stored:.*&#60;b&#62;20/, 'theirs');
  t.equal(browser.readForm('/content').fields['data.reward'], '30 EUR', 'mine');
  t.equal(browser.page.text.match(/class="clash"/g)?.length, 1, 'what both wrote alike is no conflict');
  t.match((await readCode()).data, { reward: '<b>20</b> EUR' }, 'nothing is stored yet');
  t.match(browser.main, 'Save mine anyway');
  await browser.fill('/content');
  t.same((await readCode()).data, { name: 'Max', notes: 'Friendly', reward: '30 EUR' });
});

t.test('reading a medical code is audited, and its content is in no title', async (t) => {
  const { test, browser, api, path } = await startOwner(t);
  const data = { name: 'Maria K.', bloodType: 'O-', notes: 'Epilepsy' };
  const { id } = (await api('POST', '/api/qrcodes', { kind: 'MEDICAL', title: 'Bracelet', data })).body;
  const countReads = () =>
    test.database.client.auditEntry.count({ where: { action: 'MEDICAL_DATA_READ', resourceId: id } });
  const before = await countReads();
  await browser.open(`${path}/codes/${id}/content`);
  t.equal((await countReads()) - before, 1);
  t.match(browser.main, 'Epilepsy');
  t.match(browser.main, 'A finder sees nothing that helps.');
  await browser.fill('/content', { title: '', 'data.notes': 'Diabetes' });
  t.equal(browser.page.status, 400);
  t.equal((await countReads()) - before, 2, 'a form that is refused shows it, too');
  t.notMatch(/<title>(.*?)<\/title>/.exec(browser.page.text)?.[1], /Diabetes|Maria|O-/);
  for (const part of ['', '/content', '/print', '/scans']) {
    await browser.open(`${browser.path.split('/codes/')[0]}/codes/${id}${part}`);
    t.match(browser.page.text, /<title>Medical ID – /, part);
  }
  t.match(browser.page.headers, { 'cache-control': 'no-store' });
});

t.test('a STATIC code is shown as it is, and codes of others are none', async (t) => {
  const { test, browser, api, path } = await startOwner(t);
  const body = { kind: 'TEXT', title: 'Can', data: { text: 'Behind the door' }, mode: 'STATIC' };
  const { id } = (await api('POST', '/api/qrcodes', body)).body;
  await browser.open(`${path}/codes/${id}/content`);
  t.match(browser.main, 'can’t be changed after it was made');
  t.notMatch(browser.main, '<form');
  const other = await signIn(test);
  t.equal((await other.browser.open(`${other.path}/codes/${id}/content`)).status, 404);
  t.equal((await other.browser.open(`${path}/codes/${id}/content`)).status, 404);
});

t.test('a form that names no field leaves them, and one without a token is refused', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex', notes: 'Shy' } };
  const { id } = (await api('POST', '/api/qrcodes', body)).body;
  await browser.open(`${path}/codes/${id}/content`);
  await browser.send('/content', { title: 'Max' });
  t.match((await api('GET', `/api/qrcodes/${id}`)).body, { title: 'Max', data: body.data });
  await browser.fill('/content', { title: 'Forged', token: 'x' });
  t.equal(browser.page.status, 403);
  t.equal((await api('GET', `/api/qrcodes/${id}`)).body.title, 'Max');
});
