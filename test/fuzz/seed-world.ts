import { setTimeout as sleep } from 'node:timers/promises';
import { createTestPdf, encodeMultipartForm } from '../features/documents/upload.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../features/memory-tags/gallery-helper.ts';
import type { ApiDocument } from './document.ts';
import { CANARY } from './fuzz-users.ts';
import { RawConnection } from './raw-http.ts';
import type { FuzzWorld } from './world.ts';

/**
 * Create records for the users: codes of every kind, scans and conversations with tokens, notifications, devices,
 * memory tags, documents, subscriptions, webhook endpoints, API keys, imports.
 */
export async function seedWorld(
  world: FuzzWorld,
  document: ApiDocument,
  target: { host: string; port: number },
): Promise<void> {
  const connection = new RawConnection(target.host, target.port);
  const send = async (
    as: 'owner' | 'stranger' | 'bystander' | 'anonymous',
    [method, path, status]: readonly ['POST', string, 200 | 201 | 202] | readonly ['PUT', string, 200],
    body: unknown,
    extraHeaders: string[] = [],
  ) => {
    const isForm = Buffer.isBuffer(body);
    const bytes = isForm ? body : Buffer.from(JSON.stringify(body));
    const token = world.getToken(as);
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${world.host}`,
      ...(token ? [`Authorization: Bearer ${token}`] : []),
      `Content-Type: ${isForm ? 'multipart/form-data; boundary=XX' : 'application/json'}`,
      `Content-Length: ${bytes.length}`,
      ...extraHeaders,
    ];
    const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
    let response = await connection.request(request);
    // Under production rate limits there are more uploads here than a minute allows.
    for (let waits = 0; response?.status === 429 && waits < 3; waits++) {
      await sleep(Number(response.headers['retry-after']) * 1000);
      response = await connection.request(request);
    }
    const created = JSON.parse(response?.body.toString() ?? 'null');
    if (response?.status !== status)
      throw new Error(`${path} answered ${response?.status}: ${JSON.stringify(created)}`);
    world.records.addFromResponse(created);
    return created;
  };
  const post = (as: Parameters<typeof send>[0], path: string, body: unknown, extraHeaders?: string[]) =>
    send(as, ['POST', path, 201], body, extraHeaders);

  // Several, because other operations delete them; more would exceed the upload limit per minute.
  for (let nth = 0; nth < 3; nth++) {
    const file = { name: 'file', fileName: 'lease.pdf', value: createTestPdf(`lease ${nth}`) };
    const { id } = await post('owner', '/api/documents', encodeMultipartForm([file]));
    for (let version = 2; version <= 3; version++)
      await post('owner', `/api/documents/${id}/versions`, encodeMultipartForm([file]));
  }
  const create = document.operations.find(({ id }) => id === 'qrcodes.create');
  for (const example of Object.values(create?.examples ?? {})) {
    const code = await post('owner', '/api/qrcodes', example);
    const { scan, scanToken } = await post('anonymous', '/api/scans/public', { qrCodeId: code.id });
    const message = { scanId: scan.id, message: 'I found it.', name: 'Eva', email: 'eva@example.net' };
    const { id } = await post('anonymous', '/api/conversations/public', message, [
      `X-Scan-Token: ${scanToken}`,
    ]);
    await post('owner', `/api/conversations/${id}/report`, { category: 'SPAM', note: 'Buy this.' });
  }
  const pet = { kind: 'PET', title: 'Rex', data: { name: 'Rex', notes: 'Friendly.' } };
  const codeWithPin = await post('owner', '/api/qrcodes', { ...pet, pin: '1234' });
  await post('anonymous', '/api/scans/public', { qrCodeId: codeWithPin.id });
  const pausedCode = await post('owner', '/api/qrcodes', pet);
  await send('owner', ['PUT', `/api/qrcodes/${pausedCode.id}`, 200], { status: 'PAUSED' });
  const strangerCode = await post('stranger', '/api/qrcodes', pet);
  await post('stranger', '/api/scans', { qrCodeId: strangerCode.id });
  await post('anonymous', '/api/scans/geocoded', {
    qrCodeId: strangerCode.id,
    latitude: 52.5163,
    longitude: 13.3777,
  });
  const secret = { ...pet, data: { name: 'Max', notes: CANARY }, visibility: { notes: 'PRIVATE' } };
  const secretCode = await post('bystander', '/api/qrcodes', secret);
  await post('anonymous', '/api/scans/public', { qrCodeId: secretCode.id });
  const tag = await post('owner', '/api/qrcodes', {
    kind: 'MEMORY_TAG',
    title: 'Grandmother',
    data: { name: 'Erna' },
  });
  const erna = {
    name: 'Erna',
    bornOn: '1931-05',
    places: [{ label: 'Home', kind: 'HOME' }],
    qrCodeId: tag.id,
  };
  const memorial = await post('owner', '/api/memory-tags', erna).catch(() => undefined);
  if (memorial)
    await post('owner', `/api/memory-tags/${memorial.id}/caretakers`, { email: 'eva@example.net' });
  for (const [as, note] of [
    ['owner', 'In the safe.'],
    ['stranger', 'In the drawer.'],
    ['bystander', CANARY],
  ] as const) {
    const file = { name: 'file', fileName: 'passport.pdf', value: createTestPdf(note) };
    const document = await post(
      as,
      '/api/documents',
      encodeMultipartForm([{ name: 'note', value: note }, file]),
    );
    await post(as, `/api/documents/${document.id}/versions`, encodeMultipartForm([file]));
    // The records of the bystander must not be exposed.
    if (as === 'bystander') continue;
    const shares = `/api/documents/${document.id}/shares`;
    for (const share of [{}, { passcode: '1234' }, { maxViews: 2, expiresInSeconds: 86_400 }])
      await post(as, shares, share);
    const { token } = await post(as, shares, {});
    await send('anonymous', ['POST', `/api/documents/shared/${token}/open`, 200], {});
    for (const email of ['reader@example.net', ...world.users.emails()])
      await post(as, `/api/documents/${document.id}/grants`, { email }).catch(() => undefined);
  }
  for (const [as, caption] of [
    ['owner', 'In the garden.'],
    ['stranger', 'At the sea.'],
    ['bystander', CANARY],
  ] as const) {
    const { id } = await post(as, '/api/memory-tags', { name: 'Laika' });
    await post(as, `/api/memory-tags/${id}/pictures`, createPictureForm(ONE_PIXEL_PNG, { caption }).body);
  }
  const portrait = createPictureForm(ONE_PIXEL_PNG, {}, 'profilePicture').body;
  await send('owner', ['PUT', `/api/auth/profile/${world.users.find('owner')?.id}`, 200], portrait);
  for (const as of ['owner', 'stranger'] as const)
    await post(as, '/api/notifications/devices', { token: `${as}:${'x'.repeat(64)}`, platform: 'WEB' });
  for (const as of ['owner', 'stranger'] as const) {
    const endpoint = { url: 'https://hooks.example.org/qr', eventTypes: ['*'] };
    for (let nth = 0; nth < 3; nth++) await post(as, '/api/webhook-endpoints', endpoint);
    await post(as, '/api/api-keys', { name: 'Printer', scopes: ['qr-codes:write'] });
    const file = {
      name: 'file',
      fileName: 'codes.csv',
      value: 'kind,title,data.text\nTEXT,Imported,Hello\n',
    };
    const form = encodeMultipartForm([{ name: 'format', value: 'csv' }, file]);
    await send(as, ['POST', '/api/imports', 202], form);
    const batch = { kind: 'LUGGAGE', prefix: 'Suitcase', count: 2 };
    await send(as, ['POST', '/api/batches', 202], batch);
  }
  const strangerEmail = world.users.find('stranger')?.email;
  for (let nth = 0; nth < 3; nth++) {
    const organization = await post('owner', '/api/organizations', { name: 'Animal shelter' });
    const invitations = `/api/organizations/${organization.id}/invitations`;
    const { id } = await post('owner', invitations, { email: strangerEmail, role: 'EDITOR' });
    await send('stranger', ['POST', '/api/invitations/accept', 200], { invitationId: id });
    await post('owner', invitations, { email: 'reader@example.net', role: 'VIEWER' });
  }
  connection.close();
  await world.addPurchases();
  await world.records.load(world.users.ids());
}
