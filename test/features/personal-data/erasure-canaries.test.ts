import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import sharp from 'sharp';
import { GUEST_BOOK_ENTRY } from '../../../src/features/memory-tags/guest-book-content.ts';
import { ENCRYPTED_COLUMNS } from '../../../src/platform/encrypted-columns.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTestPdf, uploadDocument } from '../documents/upload.ts';
import { createProfileForm, createTestPhoto } from '../identity/accounts/helper.ts';
import { createPictureForm, listPrivateFiles } from '../memory-tags/gallery-helper.ts';
import { BERLIN_POSITION, startScans } from '../scans/helper.ts';
import { eraseAccountOf, waitFor, waitForErasures } from './helper.ts';

/** In every text that the person gives; their address has another. */
const CANARY = 'kanarienvogel';
const EMAIL = `${CANARY}@example.org`;

const app = await startScans(t);
const { call, code, database, services, dataDir } = app;

/** Every row of every table, jobs among them, as text: what is binary in hexadecimal digits and as what it stands for. */
async function everyRow(): Promise<{ place: string; text: string }[]> {
  const tables = await database.pool.query(`
    SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
    WHERE table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'`);
  const found: { place: string; text: string }[] = [];
  for (const { schema, name } of tables.rows) {
    const { rows } = await database.pool.query(`SELECT * FROM "${schema}"."${name}"`);
    for (const row of rows) {
      found.push({ place: name, text: textOf(row) });
      for (const [column, value] of Object.entries(row)) {
        if (!Buffer.isBuffer(value)) continue;
        const opened = openedOf(name, column, row, value);
        found.push({ place: `${name}.${column}`, text: `${value.toString('latin1')} ${opened}` });
      }
    }
  }
  return found;
}

function textOf(row: object): string {
  return JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** Decrypt a value as the service can; empty if it cannot. */
function openedOf(table: string, column: string, row: Record<string, unknown>, value: Buffer): string {
  const found = ENCRYPTED_COLUMNS.find((known) => known.table === table && known.column === column);
  if (!found) return '';
  const rowId = String(row[found.rowId]);
  const ownerId = found.owner === null ? '' : String(row[found.owner]);
  try {
    return JSON.stringify(services.fieldCipher.decrypt({ table, column, rowId, ownerId }, value));
  } catch {
    return '';
  }
}

/** Every file of the service but the mailbox, which is the recipient's. */
async function everyFile(): Promise<{ place: string; text: string }[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const ours = files.filter((path) => !relative(dataDir, path).startsWith('mailbox'));
  return Promise.all(
    ours.map(async (path) => ({ place: path, text: `${path} ${await readFile(path, 'latin1')}` })),
  );
}

async function placesWith(word: string): Promise<string[]> {
  const all = [...(await everyRow()), ...(await everyFile())];
  const places = all.filter(({ text }) => text.toLowerCase().includes(word)).map(({ place }) => place);
  return [...new Set(places)].sort();
}

t.test('nothing a user wrote is left after the account is erased', async (t) => {
  const user = await app.createUser({ email: EMAIL });
  const { accessToken: token, id } = user;
  const agent = { 'user-agent': `Mozilla/5.0 ${CANARY}` };
  const names = {
    firstName: CANARY,
    lastName: CANARY,
    accountType: 'ORGANIZATION',
    organizationName: CANARY,
  };
  const profile = await call('PUT', `/api/auth/profile/${id}`, {
    token,
    ...createProfileForm(
      { ...names, phone: '+4930123456', timeZone: 'Europe/Berlin' },
      await createTestPhoto(),
    ),
  });
  t.equal(profile.status, 200, profile.text);
  await call('POST', '/api/auth/login', { body: { email: EMAIL, password: TEST_PASSWORD }, headers: agent });
  await call('POST', '/api/auth/login', { body: { email: EMAIL, password: 'wrong wrong' }, headers: agent });

  const logo = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const { body: kinds } = await call('GET', '/api/qrcodes/kinds', { token });
  const bodies: Record<string, unknown>[] = kinds.data.map(
    ({ kind, example }: { kind: string; example: object }) => ({
      kind,
      title: `${CANARY} ${kind}`,
      data: written(example),
    }),
  );
  for (const [index, body] of bodies.entries()) {
    const made = await call('POST', '/api/qrcodes', {
      token,
      body,
      headers: { 'idempotency-key': `canary-of-kind-${index}-0123456789` },
    });
    t.equal(made.status, 201, `${body.kind}: ${made.text}`);
  }
  const design = { logo: `data:image/png;base64,${logo.toString('base64')}`, errorCorrection: 'H' };
  const pet = await code({ title: CANARY, data: { name: CANARY, notes: CANARY }, pin: '4711', design }, user);
  const lost = { message: CANARY, reward: CANARY, lastSeen: CANARY };
  await call('POST', `/api/qrcodes/${pet}/lost`, { token, body: lost });
  const gone = await code({ title: CANARY, data: { name: CANARY } }, user);
  await call('DELETE', `/api/qrcodes/${gone}`, { token });
  const endpoint = { url: `https://${CANARY}.example.org/`, eventTypes: ['*'], description: CANARY };
  await call('POST', '/api/webhook-endpoints', { token, body: endpoint });
  await call('POST', '/api/folders', { token, body: { name: CANARY } });
  await call('POST', '/api/saved-views', { token, body: { name: CANARY, query: { search: CANARY } } });
  const memoryTag = { name: CANARY, epitaph: CANARY, story: CANARY, bornOn: '1901-02-03' };
  const tag = await call('POST', '/api/memory-tags', { token, body: memoryTag });
  for (const path of [`/api/memory-tags/${tag.body.id}/pictures`, `/api/qrcodes/${pet}/pictures`]) {
    const added = await call('POST', path, { token, ...createPictureForm(logo, { caption: CANARY }) });
    await call('GET', `${added.body.url}?w=320`, { token });
  }
  await uploadDocument(app, token, createTestPdf(CANARY), {
    title: CANARY,
    note: CANARY,
    fileName: `${CANARY}.pdf`,
  });
  const mine = (await call('GET', '/api/documents', { token })).body.data[0].id;
  const shared = await call('POST', `/api/documents/${mine}/shares`, { token, body: { passcode: CANARY } });
  await call('POST', `/api/documents/shared/${shared.body.token}/open`, { body: { passcode: CANARY } });
  const finder = await app.createUser();
  // The address of the account, named by somebody else.
  const remembered = await call('POST', '/api/memory-tags', {
    token: finder.accessToken,
    body: { name: 'Rex' },
  });
  await call('POST', `/api/memory-tags/${remembered.body.id}/caretakers`, {
    token: finder.accessToken,
    body: { email: EMAIL },
  });
  const entry = { id: generateId(), accountId: id };
  const content = GUEST_BOOK_ENTRY.encrypt(services.fieldCipher, entry, { name: CANARY, message: CANARY });
  await app.database.client.guestBookEntry.create({ data: { ...entry, memoryTagId: tag.body.id, content } });
  const toThem = { token, body: { email: finder.email } };
  await call('POST', `/api/documents/${mine}/grants`, toThem);
  const theirs = (await uploadDocument(app, finder.accessToken)).body.id;
  const toMe = { token: finder.accessToken, body: { email: EMAIL } };
  const lent = await call('POST', `/api/documents/${theirs}/grants`, toMe);
  await call('GET', `/api/documents/received/${lent.body.id}/content`, { token });
  for (const [index, options] of [{}, { token: finder.accessToken }].entries())
    await call('POST', options.token ? '/api/scans' : '/api/scans/geocoded?type=guest', {
      ...options,
      body: { qrCodeId: pet, ...BERLIN_POSITION, pin: '4711' },
      headers: { ...agent, 'idempotency-key': `canary-scan-of-finder-${index}` },
    });
  const response = await call('POST', '/api/auth/exports', { token, body: { password: TEST_PASSWORD } });
  await waitFor(async () => {
    const { body } = await call('GET', `/api/auth/exports/${response.body.id}`, { token });
    return body.status === 'READY';
  });
  await call('POST', '/api/auth/forgot-password', { body: { email: EMAIL } });
  await app.getLastMail(EMAIL);

  const before = await placesWith(CANARY);
  for (const place of [
    ...['users', 'sessions', 'qr_codes', 'qr_codes.data', 'qr_codes.lost_details', 'memory_tags'],
    ...['documents', 'documents.note', 'document_versions.file_name'],
    ...['pictures', 'webhook_endpoints', 'saved_views', 'folders'],
    ...['guest_book_entries.content', 'memory_tag_caretakers.email'],
    ...['notifications', 'scans', 'idempotency_keys.response', 'audit_origins'],
  ])
    t.ok(before.includes(place), `${place} contains the canary`);
  t.ok(
    (await everyFile()).some(({ text }) => text.includes(id)),
    'and files belong to the account',
  );

  t.equal((await eraseAccountOf(app, user)).status, 200);
  await waitForErasures(app);
  await app.getLastMail(EMAIL);
  t.same(await placesWith(CANARY), [], 'no table and no file');
  t.same(await placesWith('4930123456'), [], 'the telephone number');
  t.same(
    (await everyFile()).filter(({ text }) => text.includes(id)).map(({ place }) => place),
    [],
    'no file of the account',
  );
  t.same(await readdir(join(services.config.uploadsDir, 'profile-pictures')), []);
  const others = await app.database.client.storedFile.findMany({ where: { accountId: finder.id } });
  t.same(
    await listPrivateFiles(app),
    others.map(({ name }) => name),
    'documents, pictures and their sizes',
  );
  t.equal(others.length, 1, 'the document of another user stays');
  const logged = app.log.filter((line) => line.toLowerCase().includes(CANARY));
  t.same(logged, [], 'and the log never had it');
});

/** The example of a kind with the canary in every free text. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        typeof inner === 'string' && /name|note|text|message|title|allerg|label/i.test(key)
          ? CANARY
          : written(inner),
      ]),
    );
  return value;
}
