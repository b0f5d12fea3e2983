import { setTimeout as sleep } from 'node:timers/promises';
import { createTestPdf, encodeMultipartForm } from '../features/documents/upload.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../features/memory-tags/gallery-helper.ts';
import type { ApiDocument } from './document.ts';
import { CANARY } from './fuzz-users.ts';
import { RawConnection } from './raw-http.ts';
import type { FuzzWorld } from './world.ts';

/**
 * Create records for the users: codes of every kind, scans and conversations with tokens, notifications, devices,
 * memory tags, documents, subscriptions.
 */
export async function seedWorld(
  world: FuzzWorld,
  document: ApiDocument,
  target: { host: string; port: number },
): Promise<void> {
  const connection = new RawConnection(target.host, target.port);
  const send = async (
    as: 'owner' | 'stranger' | 'keeper' | 'anonymous',
    [method, path, status]: readonly ['POST', string, 200 | 201] | readonly ['PUT', string, 200],
    body: unknown,
    more: string[] = [],
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
      ...more,
    ];
    const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
    let answer = await connection.request(request);
    // Under production rate limits there are more uploads here than a minute allows.
    for (let waits = 0; answer?.status === 429 && waits < 3; waits++) {
      await sleep(Number(answer.headers['retry-after']) * 1000);
      answer = await connection.request(request);
    }
    const made = JSON.parse(answer?.body.toString() ?? 'null');
    if (answer?.status !== status)
      throw new Error(`${path} answered ${answer?.status}: ${JSON.stringify(made)}`);
    world.records.addFromResponse(made);
    return made;
  };
  const post = (as: Parameters<typeof send>[0], path: string, body: unknown, more?: string[]) =>
    send(as, ['POST', path, 201], body, more);

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
    const said = { scanId: scan.id, message: 'I have found it.', name: 'Eva', email: 'eva@example.net' };
    const { id } = await post('anonymous', '/api/conversations/public', said, [`X-Scan-Token: ${scanToken}`]);
    await post('owner', `/api/conversations/${id}/report`, { reason: 'SPAM', note: 'Buy this.' });
  }
  const pet = { kind: 'PET', title: 'Rex', data: { name: 'Rex', notes: 'Friendly.' } };
  const locked = await post('owner', '/api/qrcodes', { ...pet, pin: '1234' });
  await post('anonymous', '/api/scans/public', { qrCodeId: locked.id });
  const paused = await post('owner', '/api/qrcodes', pet);
  await send('owner', ['PUT', `/api/qrcodes/${paused.id}`, 200], { status: 'PAUSED' });
  const others = await post('stranger', '/api/qrcodes', pet);
  await post('stranger', '/api/scans', { qrCodeId: others.id });
  await post('anonymous', '/api/scans/geocoded', {
    qrCodeId: others.id,
    latitude: 52.5163,
    longitude: 13.3777,
  });
  const secret = { ...pet, data: { name: 'Max', notes: CANARY }, visibility: { notes: 'PRIVATE' } };
  const kept = await post('keeper', '/api/qrcodes', secret);
  await post('anonymous', '/api/scans/public', { qrCodeId: kept.id });
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
    ['keeper', CANARY],
  ] as const) {
    const file = { name: 'file', fileName: 'passport.pdf', value: createTestPdf(note) };
    const document = await post(
      as,
      '/api/documents',
      encodeMultipartForm([{ name: 'note', value: note }, file]),
    );
    await post(as, `/api/documents/${document.id}/versions`, encodeMultipartForm([file]));
    // The records of the bystander must not be exposed.
    if (as === 'keeper') continue;
    const shares = `/api/documents/${document.id}/shares`;
    for (const share of [{}, { passcode: '1234' }, { maxViews: 2, expiresInSeconds: 86_400 }])
      await post(as, shares, share);
    const { token } = await post(as, shares, {});
    await send('anonymous', ['POST', `/api/documents/shared/${token}/open`, 200], {});
    for (const email of ['reader@example.net', ...world.people.emails()])
      await post(as, `/api/documents/${document.id}/grants`, { email }).catch(() => undefined);
  }
  for (const [as, caption] of [
    ['owner', 'In the garden.'],
    ['stranger', 'At the sea.'],
    ['keeper', CANARY],
  ] as const) {
    const { id } = await post(as, '/api/memory-tags', { name: 'Laika' });
    await post(as, `/api/memory-tags/${id}/pictures`, createPictureForm(ONE_PIXEL_PNG, { caption }).body);
  }
  const portrait = createPictureForm(ONE_PIXEL_PNG, {}, 'profilePicture').body;
  await send('owner', ['PUT', `/api/auth/profile/${world.people.find('owner')?.id}`, 200], portrait);
  for (const as of ['owner', 'stranger'] as const)
    await post(as, '/api/notifications/devices', { token: `${as}:${'x'.repeat(64)}`, platform: 'WEB' });
  connection.close();
  await world.addPurchases();
  await world.records.read(world.people.ids());
}
