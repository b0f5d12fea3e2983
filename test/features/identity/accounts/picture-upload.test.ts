import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  createProfileForm,
  createTestPhoto,
  findAuditEntries,
  isProblem,
  listStoredPictures,
  queryDatabase,
  TEST_PROFILE,
} from './helper.ts';

const create = '/api/auth/create-profile';
const NAME = /^profile-\d{13}-\d{1,12}\.(jpg|png)$/;
const nameIn = (url: string) => url.slice(url.lastIndexOf('/') + 1);

t.test(
  'a picture sent with a profile is re-encoded, stored under the documented name and served',
  async (t) => {
    const app = await startTestApp(t);
    const { accessToken: token } = await app.createUser({ profile: false });
    const created = await app.call('POST', create, {
      token,
      ...createProfileForm(TEST_PROFILE, await createTestPhoto()),
    });
    t.equal(created.status, 201, created.text);
    t.match(created.body, TEST_PROFILE);
    const name = nameIn(created.body.profilePictureUrl);
    t.match(name, NAME);
    t.equal(created.body.profilePictureUrl, `https://qr.example.org/uploads/profile-pictures/${name}`);
    t.same(await listStoredPictures(app), [name]);
    const bytes = await readFile(join(app.dataDir, 'uploads', 'profile-pictures', name));
    t.match(await sharp(bytes).metadata(), { format: 'jpeg', width: 60, height: 40, exif: undefined });
    t.notMatch(bytes.toString('latin1'), 'canary-artist');
    const served = await app.call('GET', `/uploads/profile-pictures/${name}`);
    t.equal(served.status, 200);
    t.equal(served.headers['content-type'], 'image/jpeg');
    t.match(await findAuditEntries(app, 'PROFILE_CREATED'), [
      { changes: [...Object.keys(TEST_PROFILE), 'profilePicture'] },
    ]);
  },
);

t.test('a picture sent at registration is not stored, and the answer says so', async (t) => {
  const app = await startTestApp(t);
  const { email: member } = await app.createUser();
  const email = 'early@example.org';
  for (const address of [member, email]) {
    const form = createProfileForm(
      { email: address, password: TEST_PASSWORD, ...TEST_PROFILE },
      await createTestPhoto(),
    );
    const registered = await app.call('POST', '/api/auth/register', form);
    t.equal(registered.status, 201);
    t.same(registered.body.warnings, ['PICTURE_NOT_STORED']);
  }
  const [{ bytes }] = await queryDatabase(
    app,
    'SELECT sum(pg_column_size(pending))::int AS bytes FROM pending_registrations AS pending',
  );
  t.ok(bytes < 1_000, `${bytes} bytes`);
  const body = { email, otp: await app.getOtp(email) };
  const { accessToken: token, user } = (await app.call('POST', '/api/auth/verify-otp', { body })).body;
  t.equal(user.profilePictureUrl, null);
  t.same(await listStoredPictures(app), []);
  const form = createProfileForm({}, await createTestPhoto());
  const created = await app.call('POST', '/api/auth/create-profile', { token, ...form });
  t.same(await listStoredPictures(app), [nameIn(created.body.profilePictureUrl)]);
});

t.test('a replaced picture is deleted, and a rejected change keeps the current one', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token, id } = await app.createUser({ profile: false });
  const put = (form: ReturnType<typeof createProfileForm>, headers = {}) =>
    app.call('PUT', `/api/auth/profile/${id}`, {
      token,
      body: form.body,
      headers: { ...form.headers, ...headers },
    });
  await app.call('POST', create, { token, ...createProfileForm(TEST_PROFILE, await createTestPhoto()) });
  const [first] = await listStoredPictures(app);
  const changed = await put(createProfileForm({}, await createTestPhoto(90)));
  t.equal(changed.status, 200, changed.text);
  t.same(await listStoredPictures(app), [nameIn(changed.body.profilePictureUrl)]);
  t.notSame(await listStoredPictures(app), [first]);
  t.match(await findAuditEntries(app, 'PROFILE_UPDATED'), [{ changes: ['profilePicture'] }]);
  t.equal((await put(createProfileForm({}, await createTestPhoto()), { 'if-match': '"1"' })).status, 412);
  t.equal((await put(createProfileForm({ timeZone: 'Middle/Earth' }, await createTestPhoto()))).status, 400);
  t.equal(
    (await app.call('POST', create, { token, ...createProfileForm(TEST_PROFILE, await createTestPhoto()) }))
      .status,
    409,
  );
  t.same(await listStoredPictures(app), [nameIn(changed.body.profilePictureUrl)]);
  await put(createProfileForm({ firstName: 'Grace' }));
  t.same(
    await listStoredPictures(app),
    [nameIn(changed.body.profilePictureUrl)],
    'a change without a picture keeps it',
  );
});

t.test('parallel changes with a picture leave only the file of the stored row', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token, id } = await app.createUser();
  const form = createProfileForm({}, await createTestPhoto());
  const put = () => app.call('PUT', `/api/auth/profile/${id}`, { token, ...form });
  const answers = await Promise.all([put(), put(), put(), put(), put(), put()]);
  for (const answer of answers) t.ok([200, 409, 503].includes(answer.status), answer.text);
  const [row] = await queryDatabase(app, 'SELECT profile_picture FROM users WHERE id = $1', id);
  t.same(await listStoredPictures(app), [row.profile_picture]);
});

t.test('invalid pictures, invalid forms and aborted uploads leave no file', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token } = await app.createUser({ profile: false });
  const form = createProfileForm(TEST_PROFILE, await createTestPhoto());
  const send = (form: { body: Buffer; headers: Record<string, string> }) =>
    app.call('POST', create, { token, ...form });
  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'GIF89a',
    '%PDF-1.7',
    '<script>alert(1)</script>',
    '\xff\xd8\xff',
  ]) {
    const answer = await send(createProfileForm(TEST_PROFILE, Buffer.from(text, 'latin1')));
    t.ok(isProblem(answer, 400, 'VALIDATION_FAILED'), text.slice(0, 6));
    t.match(answer.body.errors, [{ field: 'profilePicture' }]);
  }
  t.equal(
    (await send({ ...form, body: form.body.subarray(0, form.body.length - 40) })).status,
    400,
    'truncated',
  );
  t.equal(
    (await send({ ...form, headers: { 'content-type': 'multipart/form-data' } })).status,
    400,
    'no boundary',
  );
  t.equal(
    (await send(createProfileForm(TEST_PROFILE, Buffer.alloc(10_000_001, 1)))).status,
    413,
    'over 10 MB',
  );
  t.ok(
    isProblem(
      await send(createProfileForm({ firstName: 'Ada' }, await createTestPhoto())),
      400,
      'VALIDATION_FAILED',
    ),
    'a missing field',
  );
  await abortUpload(app, token, form);
  t.same(await listStoredPictures(app), []);
  t.equal((await queryDatabase(app, "SELECT 1 FROM users WHERE status = 'ACTIVE'")).length, 0);
  t.equal((await send(form)).status, 201, 'a valid form works afterwards');
});

/** Send half a form over a real connection and disconnect. */
async function abortUpload(
  app: TestApp,
  token: string,
  { body, headers }: ReturnType<typeof createProfileForm>,
): Promise<void> {
  const address = new URL(await app.app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(address.port), address.hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  const head = [
    `POST ${create} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\nContent-Type: ${headers['content-type']}\r\n\r\n`);
  socket.write(body.subarray(0, body.length / 2));
  await wait(100);
  socket.destroy();
  await wait(100);
}
