import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { createTestPdf, uploadDocument } from '../documents/upload.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createGalleryClient, ONE_PIXEL_PNG } from '../memory-tags/gallery-helper.ts';
import { BERLIN_POSITION, createTokenHeader } from '../scans/helper.ts';
import { startModeration, TAKEDOWN } from './helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

t.test('nothing of a code that is taken down is public, and everything is back afterwards', async (t) => {
  const test = await startModeration(t, { URL_PAGE: 'never' });
  const { call, code, scan, as, takeDown, reinstate } = test;
  const kinds = {
    pet: await code(),
    other: await code({ data: { name: 'Kitty', species: 'Cat' } }),
    medical: await code({ kind: 'MEDICAL', data: { name: 'Rex' }, visibility: { name: 'PUBLIC' } }),
    url: await code({ kind: 'URL', title: 'Menu', data: { url: 'https://menu.example.com/' } }),
    contact: await code({ kind: 'VCARD', title: 'Card', data: { name: 'Rex' } }),
    locked: await code({ pin: '4821' }),
    paused: await code(),
    expired: await code(),
    memorial: await code({ kind: 'MEMORY_TAG', title: 'Erna', data: { name: 'Rex' } }),
    document: await code({ kind: 'DOCUMENT', title: 'Papers', data: { name: 'Rex' } }),
  };
  await call('PATCH', `/api/qrcodes/${kinds.paused}`, { ...as.owner, body: { status: 'PAUSED' } });
  await test.database.client.qrCode.update({
    where: { id: kinds.expired },
    data: { expiresAt: new Date(Date.now() - 1_000) },
  });
  const tag = await call('POST', '/api/memory-tags', {
    ...as.owner,
    body: { name: 'Rex', story: 'Rex was here.', guestBookOpen: true, qrCodeId: kinds.memorial },
  });
  t.equal(tag.status, 201, tag.text);
  const picture = await createGalleryClient(test, as.owner.token).add(tag.body.id, ONE_PIXEL_PNG);
  const photo = await createGalleryClient(test, as.owner.token, '/api/qrcodes').add(kinds.pet, ONE_PIXEL_PNG);
  const { body: document } = await uploadDocument(test, as.owner.token, createTestPdf('it'));
  const share = await call('POST', `/api/documents/${document.id}/shares`, {
    ...as.owner,
    body: { qrCodeId: kinds.document },
  });
  t.equal(share.status, 201, share.text);
  const accessShare = () => call('POST', `/api/documents/shared/${share.body.token}/open`, { body: {} });
  const opened = await accessShare();
  t.equal(opened.status, 200, opened.text);
  const { imageUrl } = (await call('GET', `/api/qrcodes/${kinds.pet}`, as.owner)).body;
  const image = new URL(imageUrl).pathname;
  const before = await scan({ qrCodeId: kinds.pet });
  const locked = await scan({ qrCodeId: kinds.locked });
  const key = { 'idempotency-key': 'a-scan-before-the-takedown' };
  await scan({ qrCodeId: kinds.pet }, { headers: key });
  const visit = /name="visit" value="([^"]*)"/.exec((await call('GET', `/s/${kinds.pet}`)).text)?.[1] ?? '';
  const post = (path: string, fields: Record<string, string>) =>
    call('POST', `/s/${kinds.pet}/${path}`, {
      body: String(new URLSearchParams({ visit, ...fields })),
      headers: FORM,
    });
  const getPicture = () => call('GET', `/s/${kinds.memorial}/pictures/${picture.body.id}`);
  t.equal((await call('GET', `/s/${kinds.url}`)).status, 302);
  t.equal((await getPicture()).status, 200);
  const getPhoto = () => call('GET', `/s/${kinds.pet}/pictures/${photo.body.id}`);
  t.equal((await getPhoto()).status, 200);

  for (const [kind, id] of Object.entries(kinds)) {
    if (kind === 'other') continue;
    t.equal((await takeDown(id)).status, 201, kind);
    const page = await call('GET', `/s/${id}`);
    t.equal(page.status, 410, kind);
    t.match(page.text, '<h1>This code isn’t available</h1>');
    t.notMatch(page.text, /Rex|menu\.example|<form|FRAUD|bank/);
    t.equal((await call('HEAD', `/s/${id}`)).status, 410);
    t.match(await scan({ qrCodeId: id }), { status: 410, body: { code: 'CODE_UNAVAILABLE' } });
    t.match(
      await call('POST', '/api/scans/geocoded?type=guest', { body: { qrCodeId: id, ...BERLIN_POSITION } }),
      { status: 410 },
    );
  }
  t.match(
    await scan({ qrCodeId: kinds.pet }, { headers: key }),
    { status: 410 },
    'not from a stored response',
  );
  t.equal((await call('GET', `/s/${kinds.contact}/contact.vcf`)).status, 410);
  t.equal((await call('GET', image)).status, 410);
  for (const path of ['story', 'entries'])
    t.equal((await call('GET', `/s/${kinds.memorial}/${path}`)).status, 410, path);
  t.equal((await getPicture()).status, 404);
  t.equal((await getPhoto()).status, 404);
  t.equal((await call('GET', `/s/${kinds.memorial}/pictures`)).status, 404);
  t.equal((await accessShare()).status, 404);
  t.equal((await call('GET', `/api/documents/shared/${share.body.token}`)).status, 404);
  t.equal((await call('GET', new URL(opened.body.contentUrl).pathname)).status, 404, 'a ticket of before');
  for (const [path, fields] of [
    ['message', { message: 'Hello' }],
    ['location', { place: 'The park' }],
    ['guest-book', { message: 'Hello' }],
    ['pin', { pin: '4821' }],
  ] as const) {
    const answer = await post(path, fields);
    t.equal(answer.status, 410, path);
    t.notMatch(answer.text, /Rex|<form/);
  }
  const start = (body: object, headers = {}) => call('POST', '/api/conversations/public', { body, headers });
  for (const answer of [
    await start({ message: 'Hello', scanId: before.body.scan.id }, createTokenHeader(before)),
    await start({ message: 'Hello', qrCodeId: kinds.paused }),
    await start({ message: 'Hello', qrCodeId: kinds.expired }),
    await call('POST', `/api/scans/public/${locked.body.scan.id}/unlock`, {
      body: { pin: '4821' },
      headers: createTokenHeader(locked),
    }),
  ])
    t.match(answer, { status: 410, body: { code: 'CODE_UNAVAILABLE' } });
  const reading = await call('GET', `/api/scans/public/${before.body.scan.id}`, {
    headers: createTokenHeader(before),
  });
  t.notMatch(reading.text, 'Rex');
  t.match((await call('GET', `/s/${kinds.other}`)).text, 'Kitty', 'the other codes of the owner stay open');

  for (const id of Object.values(kinds)) if (id !== kinds.other) t.equal((await reinstate(id)).status, 200);
  t.equal((await call('GET', `/s/${kinds.url}`)).status, 302);
  t.match((await call('GET', `/s/${kinds.pet}`)).text, 'Rex');
  t.equal((await call('GET', image)).status, 200);
  t.equal((await getPicture()).status, 200);
  t.equal((await getPhoto()).status, 200);
  t.equal((await accessShare()).status, 200);
  t.match((await call('GET', `/s/${kinds.paused}`)).text, 'This code is paused', 'with its own status');
});

t.test('the owner sees the takedown and cannot end it', async (t) => {
  const test = await startModeration(t);
  const { call, code, as, takeDown, readTakedown, createUser } = test;
  const id = await code({ kind: 'MEMORY_TAG', title: 'Erna', data: { name: 'Erna' } });
  const change = (method: string, path: string, body?: object) =>
    call(method, `/api/qrcodes/${id}${path}`, { ...as.owner, body });
  t.equal((await call('GET', `/api/qrcodes/${id}`, as.owner)).body.takenDownAt, null);
  t.equal((await readTakedown(id)).status, 404);
  const tag = await call('POST', '/api/memory-tags', { ...as.owner, body: { name: 'Erna', qrCodeId: id } });

  const entries = await captureAuditEntries(test, async () => {
    const made = await takeDown(id);
    t.match(made, { status: 201, headers: { location: `/api/admin/qrcodes/${id}/takedown` } });
    t.match(made.body, { ...TAKEDOWN, qrCodeId: id, endedAt: null, appeals: [] });
  });
  t.match(entries, [{ action: 'QRCODE_TAKEN_DOWN', resourceId: id, severity: 'HIGH' }]);
  const trail = await call('GET', '/api/admin/audit-logs?action=QRCODE_TAKEN_DOWN', as.root);
  t.equal(trail.body.data[0].actorId, test.root.id);
  const stored = await test.database.client.qrCodeTakedown.findFirstOrThrow();
  t.notOk(Buffer.from(stored.reason).includes('bank'), 'encrypted');

  const ownView = (await call('GET', `/api/qrcodes/${id}`, as.owner)).body;
  t.equal(ownView.status, 'ACTIVE', 'the status is the owner’s');
  t.type(ownView.takenDownAt, 'string');
  const listed = await call('GET', '/api/qrcodes', as.owner);
  t.equal(listed.body.data[0].takenDownAt, ownView.takenDownAt);
  t.match((await readTakedown(id)).body, { ...TAKEDOWN, takenDownAt: ownView.takenDownAt });
  t.notMatch((await readTakedown(id)).text, test.root.id, 'not who took it down');
  const stranger = { token: (await createUser()).accessToken };
  t.equal((await call('GET', `/api/qrcodes/${id}/takedown`, stranger)).status, 404);

  for (const [method, path, body] of [
    ['PATCH', '', { status: 'PAUSED' }],
    ['PATCH', '', { status: 'ACTIVE', takenDownAt: null }],
    ['PUT', '', { title: 'Another', data: { name: 'Another' }, design: { foreground: '#112233' } }],
    ['POST', '/lost', { message: 'Lost' }],
    ['POST', '/found'],
    ['DELETE', ''],
    ['POST', '/restore'],
  ] as const) {
    const answer = await change(method, path, body);
    t.ok([200, 204, 400].includes(answer.status), `${method} ${path}: ${answer.status}`);
    t.equal((await call('GET', `/s/${id}`)).status, path === '' && method === 'DELETE' ? 404 : 410);
  }
  const redrawn = (await call('GET', `/api/qrcodes/${id}`, as.owner)).body;
  t.equal((await call('GET', new URL(redrawn.imageUrl).pathname)).status, 410, 'the image drawn again, too');

  const other = await code({ kind: 'MEMORY_TAG', title: 'Other', data: { name: 'Other' } });
  const move = () =>
    call('PATCH', `/api/memory-tags/${tag.body.id}`, { ...as.owner, body: { qrCodeId: other } });
  t.ok(isProblem(await move(), 409, 'CODE_TAKEN_DOWN'), 'its memory tag does not move to another code');
  await change('DELETE', '');
  t.ok(isProblem(await move(), 409, 'CODE_TAKEN_DOWN'), 'not even when the code is deleted');
});

t.test('the owner is notified of each decision in all channels, with its reason in the mail', async (t) => {
  const test = await startModeration(t);
  const { call, code, as, owner, takeDown, reinstate, appeal, decide, getMailBySubject } = test;
  const id = await code();
  await test.database.client.user.update({ where: { id: owner.id }, data: { language: 'de' } });
  await takeDown(id);
  const mail = await getMailBySubject(owner.email, /gesperrt$/);
  t.match(mail?.text, /„Rex“ gesperrt \(Betrug\)/);
  t.match(mail?.text, TAKEDOWN.reason);
  t.match(mail?.text, 'können Sie Einspruch für diesen Code einlegen', 'how to appeal');
  const newest = async () =>
    (await call('GET', '/api/notifications?limit=1', { ...as.owner, headers: { 'accept-language': 'en' } }))
      .body.data[0];
  t.match(await newest(), {
    event: 'code.taken_down',
    type: 'SYSTEM',
    data: { qrCodeId: id, category: 'FRAUD' },
  });
  const stored = await test.database.client.notification.findFirstOrThrow({
    where: { event: 'code.taken_down' },
  });
  t.notMatch(JSON.stringify(stored.data), 'bank', 'the text of the administrator is in the mail alone');

  const { id: appealId } = (await appeal(id)).body.appeals[0];
  await decide(appealId, { decision: 'REJECTED', answer: 'We checked it again.' });
  t.match((await getMailBySubject(owner.email, /abgelehnt/))?.text, 'We checked it again.');
  t.equal((await newest()).event, 'code.appeal_rejected');
  await reinstate(id, { answer: 'Our mistake.' });
  t.match((await getMailBySubject(owner.email, /wieder verfügbar/))?.text, 'Our mistake.');
  t.equal((await newest()).event, 'code.reinstated');
});

t.test('of two administrators at once one takes a code down', async (t) => {
  const { code, call, as, takeDown, reinstate, database } = await startModeration(t);
  const id = await code();
  const both = await Promise.all([takeDown(id), takeDown(id, TAKEDOWN, as.second)]);
  t.same(both.map(({ status }) => status).sort(), [201, 409]);
  t.ok(both.some((answer) => answer.body.code === 'CODE_ALREADY_TAKEN_DOWN'));
  t.equal(await database.client.qrCodeTakedown.count(), 1);
  t.equal(await database.client.notification.count({ where: { event: 'code.taken_down' } }), 1);
  const ended = await Promise.all([reinstate(id), reinstate(id, {}, as.second)]);
  t.same(ended.map(({ status }) => status).sort(), [200, 409]);
  t.equal((await takeDown(id)).status, 201, 'and can be taken down again');

  t.equal((await takeDown('0'.repeat(24))).status, 404);
  for (const body of [{}, { category: 'RUDE', reason: 'x' }, { category: 'FRAUD', reason: '  ' }])
    t.equal((await takeDown(await code(), body)).status, 400);
  t.equal((await takeDown(id, { category: 'FRAUD', reason: 'x'.repeat(2_001) })).status, 400);
  for (const path of ['takedown', 'reinstate'])
    t.equal(
      (await call('POST', `/api/admin/qrcodes/${id}/${path}`, { ...as.owner, body: TAKEDOWN })).status,
      403,
    );
  const listed = await call('GET', '/api/admin/qrcodes?takenDown=true', as.root);
  t.same(
    listed.body.data.map((row: { id: string }) => row.id),
    [id],
  );
  t.notMatch((await call('GET', '/api/admin/qrcodes?takenDown=false&limit=100', as.root)).text, id);
});

t.test('a code that is deleted, then restored, stays taken down', async (t) => {
  const { code, call, as, takeDown } = await startModeration(t);
  const id = await code();
  await call('DELETE', `/api/qrcodes/${id}`, as.owner);
  t.equal((await takeDown(id)).status, 201);
  t.equal((await call('GET', `/s/${id}`)).status, 404);
  t.equal((await call('POST', `/api/qrcodes/${id}/restore`, as.owner)).status, 200);
  t.equal((await call('GET', `/s/${id}`)).status, 410);
});
