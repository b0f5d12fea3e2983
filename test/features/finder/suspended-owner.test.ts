import { TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

t.test('nothing of a suspended owner is public', async (t) => {
  const test = await startScans(t, { URL_PAGE: 'never' });
  const { call, code, scan, owner } = test;
  const root = await test.createUser({ email: 'root@example.org', role: 'ADMIN' });
  const setStatus = (status: string) =>
    call('PATCH', `/api/admin/users/${owner.id}`, { token: root.accessToken, body: { status } });

  const [pet, medical, url, contact, paused] = [
    await code(),
    await code({ kind: 'MEDICAL', data: { name: 'Ada' }, visibility: { name: 'PUBLIC' } }),
    await code({ kind: 'URL', title: 'Menu', data: { url: 'https://menu.example.com/' } }),
    await code({ kind: 'VCARD', title: 'Card', data: { name: 'Ada' } }),
    await code(),
  ];
  await call('PATCH', `/api/qrcodes/${paused}`, { token: owner.accessToken, body: { status: 'PAUSED' } });
  const { imageUrl } = (await call('GET', `/api/qrcodes/${pet}`, { token: owner.accessToken })).body;
  const image = new URL(imageUrl).pathname;
  const before = await scan({ qrCodeId: pet });
  const key = { 'idempotency-key': 'a-scan-before-the-suspension' };
  await scan({ qrCodeId: pet }, { headers: key });
  t.equal((await call('GET', `/s/${url}`)).status, 302);

  t.equal((await setStatus('SUSPENDED')).status, 200);
  for (const id of [pet, medical, url, contact, paused]) {
    const page = await call('GET', `/s/${id}`);
    t.equal(page.status, 410, page.text);
    t.match(page.text, '<h1>This code isn’t available</h1>');
    t.notMatch(page.text, /Rex|Ada|menu\.example|<form/);
    t.equal((await call('HEAD', `/s/${id}`)).status, 410);
    t.match(await scan({ qrCodeId: id }), { status: 410, body: { code: 'CODE_UNAVAILABLE' } });
  }
  t.match(await scan({ qrCodeId: pet }, { headers: key }), { status: 410 }, 'not from a stored response');
  t.equal((await call('GET', `/s/${contact}/contact.vcf`)).status, 410);
  t.equal((await call('GET', image)).status, 410);
  const start = (body: object, headers = {}) => call('POST', '/api/conversations/public', { body, headers });
  for (const answer of [
    await start({ message: 'Hello', scanId: before.body.scan.id }, createTokenHeader(before)),
    await start({ message: 'Hello', qrCodeId: paused }),
  ])
    t.match(answer, { status: 410, body: { code: 'CODE_UNAVAILABLE' } });
  const reading = await call('GET', `/api/scans/public/${before.body.scan.id}`, {
    headers: createTokenHeader(before),
  });
  t.notMatch(reading.text, 'Rex');

  await setStatus('ACTIVE');
  t.equal((await call('GET', `/s/${url}`)).status, 302, 'back with the owner');
  t.match((await call('GET', `/s/${pet}`)).text, 'Rex');
  t.equal((await call('GET', image)).status, 200);
});

t.test('nobody reads or writes in conversations about a withheld code', async (t) => {
  const test = await startScans(t);
  const { call, code, scan, owner, database } = test;
  const root = await test.createUser({ email: 'root@example.org', role: 'ADMIN' });
  const setStatus = (status: string) =>
    call('PATCH', `/api/admin/users/${owner.id}`, { token: root.accessToken, body: { status } });
  const id = await code();
  const made = await scan({ qrCodeId: id });
  const begun = await call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message: 'I found him', email: 'finder@example.org' },
    headers: createTokenHeader(made),
  });
  t.equal(begun.status, 201, begun.text);
  const headers = { 'x-conversation-token': begun.body.conversationToken };
  const path = `/api/conversations/public/${begun.body.id}`;
  const link = new URL(begun.body.url).pathname;
  const opened = await call('GET', link);
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
  const page = `/s/${id}/c/${begun.body.id}`;
  const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
  const response = await call('GET', page, { headers: form });
  const visit = /name="visit" value="([^"]+)"/.exec(response.text)?.[1] ?? '';
  const ownerToken = (
    await call('POST', '/api/auth/login', { body: { email: owner.email, password: TEST_PASSWORD } })
  ).body.accessToken;
  const write = (token?: string) =>
    call('POST', token ? `/api/conversations/${begun.body.id}/messages` : `${path}/messages`, {
      ...(token ? { token } : { headers }),
      body: { message: 'Call me' },
    });
  const assertWithheld = async () => {
    const answers = [
      await call('GET', `${path}/messages`, { headers }),
      await write(),
      await call('GET', link),
      await call('GET', page, { headers: form }),
      await call('HEAD', page, { headers: form }),
      await call('POST', page, {
        headers: form,
        body: String(new URLSearchParams({ visit, message: 'Hi' })),
      }),
    ];
    t.same(
      answers.map(({ status }) => status),
      answers.map(() => 410),
    );
    for (const { text } of answers) t.notMatch(text, /I found him|Rex|<form/);
  };

  await setStatus('SUSPENDED');
  await assertWithheld();
  t.equal((await write(ownerToken)).status, 401);
  t.equal(await database.client.conversationMessage.count(), 1);
  t.equal((await call('DELETE', `${path}/email`, { headers })).status, 200, 'an address can be withdrawn');
  await setStatus('ACTIVE');
  t.equal((await write()).status, 201);

  const takenDown = { takenDownAt: new Date(), version: { increment: 1 } };
  await database.client.qrCode.update({ where: { id }, data: takenDown });
  await assertWithheld();
  const again = await call('POST', '/api/auth/login', {
    body: { email: owner.email, password: TEST_PASSWORD },
  });
  t.match(await write(again.body.accessToken), { status: 410, body: { code: 'CODE_UNAVAILABLE' } });
  t.equal((await call('POST', `${path}/end`, { headers })).status, 200);
});
