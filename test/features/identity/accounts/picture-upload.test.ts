import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { ServiceError } from '../../../../src/shared/errors.ts';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  createProfileForm,
  createTestPhoto,
  findAuditEntries,
  isProblem,
  listMailsCausedBy,
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

function sendRegistration(app: TestApp, email: string, picture: Buffer, options: object = {}) {
  const form = createProfileForm({ email, password: TEST_PASSWORD, ...TEST_PROFILE }, picture);
  return app.call('POST', '/api/auth/register', { ...form, ...options });
}

const verify = (app: TestApp, email: string, otp: string, options: object = {}) =>
  app.call('POST', '/api/auth/verify-otp', { body: { email, otp }, ...options });

t.test('a picture sent at registration is that of the account once the address is confirmed', async (t) => {
  const app = await startTestApp(t);
  const { email: member } = await app.createUser();
  const email = 'early@example.org';
  const bodies = [];
  for (const address of [member, email]) {
    const registered = await sendRegistration(app, address, await createTestPhoto());
    t.equal(registered.status, 201, registered.text);
    bodies.push(Object.keys(registered.body));
  }
  t.same(bodies[0], bodies[1], 'the answer tells nothing about an account');
  t.notOk(bodies[0]?.includes('warnings'));
  t.same(await listStoredPictures(app), [], 'nobody can read it before');
  const [{ picture }] = await queryDatabase(app, 'SELECT picture FROM pending_registrations');
  t.notMatch(picture.toString('latin1'), 'JFIF', 'it is encrypted');

  const { accessToken: token, user } = (await verify(app, email, await app.getOtp(email))).body;
  const name = nameIn(user.profilePictureUrl);
  t.match(name, NAME);
  t.same(await listStoredPictures(app), [name]);
  t.equal((await app.call('GET', `/uploads/profile-pictures/${name}`)).status, 200);
  t.equal((await queryDatabase(app, 'SELECT 1 FROM pending_registrations')).length, 0);

  const form = createProfileForm({}, await createTestPhoto(90));
  const created = await app.call('POST', '/api/auth/create-profile', { token, ...form });
  t.same(await listStoredPictures(app), [nameIn(created.body.profilePictureUrl)], 'another one replaces it');
});

t.test('of several registrations only the picture of that with the password becomes active', async (t) => {
  const app = await startTestApp(t, { TRUST_PROXY: '127.0.0.1' });
  const email = 'two@example.org';
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const register = async (red: number, address: string) => {
    const form = createProfileForm({ email, password: `${TEST_PASSWORD}${red}` }, await createTestPhoto(red));
    await app.call('POST', '/api/auth/register', {
      body: form.body,
      headers: { ...form.headers, ...from(address).headers },
    });
    return app.getOtp(email);
  };
  const first = await register(250, '192.0.2.1');
  await register(10, '198.51.100.1');
  const confirm = { ...from('192.0.2.1'), body: { email, otp: first, password: `${TEST_PASSWORD}250` } };
  const { user } = (await app.call('POST', '/api/auth/verify-otp', confirm)).body;
  const file = join(app.dataDir, 'uploads', 'profile-pictures', nameIn(user.profilePictureUrl));
  t.ok(((await sharp(file).stats()).channels[0]?.mean ?? 0) > 200, 'that of the first');
  t.equal((await queryDatabase(app, 'SELECT 1 FROM pending_registrations')).length, 0);
});

t.test('a code sent to another network has the picture, too', async (t) => {
  const app = await startTestApp(t, { TRUST_PROXY: '127.0.0.1' });
  const email = 'moved@example.org';
  await sendRegistration(app, email, await createTestPhoto());
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  const [mail] = await listMailsCausedBy(app, email, () =>
    app.call('POST', '/api/auth/resend-otp', { body: { email }, headers }),
  );
  const rows = await queryDatabase(
    app,
    'SELECT picture IS NOT NULL AS "hasPicture" FROM pending_registrations',
  );
  t.same(rows, [{ hasPicture: true }, { hasPicture: true }]);
  const { user } = (await verify(app, email, mail?.subject.slice(0, 6) ?? '', { headers })).body;
  t.same(await listStoredPictures(app), [nameIn(user.profilePictureUrl)]);
});

t.test('a used code, a wrong one and parallel calls leave one picture', async (t) => {
  const app = await startTestApp(t);
  const email = 'parallel@example.org';
  await sendRegistration(app, email, await createTestPhoto());
  const otp = await app.getOtp(email);
  t.equal((await verify(app, email, otp === '000000' ? '000001' : '000000')).status, 400);
  t.same(await listStoredPictures(app), []);
  const answers = await Promise.all([1, 2, 3].map(() => verify(app, email, otp)));
  t.same(answers.map(({ status }) => status).toSorted(), [200, 400, 400]);
  const confirmed = answers.find(({ status }) => status === 200);
  t.same(await listStoredPictures(app), [nameIn(confirmed?.body.user.profilePictureUrl)]);
});

t.test('without the store of files the code stays valid', async (t) => {
  const app = await startTestApp(t);
  const email = 'later@example.org';
  await sendRegistration(app, email, await createTestPhoto());
  const otp = await app.getOtp(email);
  const { publicFiles } = app.services;
  const put = t.intercept(publicFiles, 'put', {
    value: () => Promise.reject(new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5 })),
  });
  t.equal((await verify(app, email, otp)).status, 503);
  put.restore();
  const { user } = (await verify(app, email, otp)).body;
  t.same(await listStoredPictures(app), [nameIn(user.profilePictureUrl)]);
});

t.test(
  'a network has a budget for pictures of registrations, and what is no picture is refused',
  async (t) => {
    const app = await startTestApp(t, { RATE_LIMIT_SCALE: '10' });
    const refused = await sendRegistration(app, 'none@example.org', Buffer.from('GIF89a'));
    t.ok(isProblem(refused, 400, 'VALIDATION_FAILED'));
    t.match(refused.body.errors, [{ field: 'profilePicture', code: 'NOT_A_PICTURE' }]);
    const noise = await sharp({
      create: {
        width: 900,
        height: 900,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 20 },
      },
    })
      .png()
      .toBuffer();
    let count = 0;
    for (;;) {
      const { status, body } = await sendRegistration(app, `many${count}@example.org`, noise);
      t.equal(status, 201);
      if (body.warnings) {
        t.same(body.warnings, ['PICTURE_NOT_STORED']);
        break;
      }
      count += 1;
      if (count > 40) break;
    }
    const [{ bytes }] = await queryDatabase(
      app,
      'SELECT sum(octet_length(picture))::int AS bytes FROM pending_registrations',
    );
    t.ok(count > 5 && bytes < 7_000_000, `${count} pictures, ${bytes} bytes`);
  },
);

t.test(
  'a repeat with the same key keeps the picture once, one with another picture is refused',
  async (t) => {
    const app = await startTestApp(t);
    const form = createProfileForm(
      { email: 'key@example.org', password: TEST_PASSWORD },
      await createTestPhoto(),
    );
    const other = createProfileForm(
      { email: 'key@example.org', password: TEST_PASSWORD },
      await createTestPhoto(9),
    );
    const send = ({ body, headers }: typeof form) =>
      app.call('POST', '/api/auth/register', {
        body,
        headers: { ...headers, 'idempotency-key': 'registration-key-1' },
      });
    t.same(
      [(await send(form)).status, (await send(form)).status, (await send(other)).status],
      [201, 201, 409],
    );
    t.equal((await queryDatabase(app, 'SELECT 1 FROM pending_registrations')).length, 1);
  },
);

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
