import { promoteUserToAdministrator } from '../../../src/features/administration/change-administrators.ts';
import { t } from '../../tap.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

t.test('nothing of a suspended owner is public', async (t) => {
  const test = await startScans(t, { URL_PAGE: 'never' });
  const { call, code, scan, owner } = test;
  const root = await test.createUser({ email: 'root@example.org' });
  await promoteUserToAdministrator(test.database, root.email);
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
