import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  createDifferentOtp,
  isProblem,
  listMailsCausedBy,
  queryDatabase,
  resendAndGetOtp,
} from './helper.ts';

const email = 'ada@example.org';
const OWN_NETWORK = '198.51.100.7';
const PLANTED = 'the password of a stranger';

const strangers = (count: number) => Array.from({ length: count }, (_, index) => `203.${index}.113.9`);

function callsFrom(app: TestApp, remoteAddress: string) {
  const post = (path: string, body: object) =>
    app.call('POST', `/api/auth/${path}`, { body: { email, ...body }, remoteAddress });
  return {
    register: async (password = TEST_PASSWORD) => {
      const [mail] = await listMailsCausedBy(app, email, () => post('register', { password }));
      return /^\d{6}/.exec(mail?.subject ?? '')?.[0] ?? '';
    },
    verify: (otp: string, password?: string) => post('verify-otp', { otp, password }),
    resend: () => post('resend-otp', {}),
    login: (password: string) => post('login', { password }),
    forgot: () => listMailsCausedBy(app, email, () => post('forgot-password', {})),
  };
}

t.test('wrong codes from other networks do not stop the right code', async (t) => {
  const app = await startTestApp(t);
  const owner = callsFrom(app, OWN_NETWORK);
  const otp = await owner.register();
  for (const address of strangers(15)) {
    const stranger = callsFrom(app, address);
    for (let count = 0; count < 12; count++) await stranger.verify(createDifferentOtp(otp));
    t.ok(isProblem(await stranger.verify(otp), 429, 'RATE_LIMITED'));
  }
  for (let count = 0; count < 3; count++)
    t.ok(isProblem(await owner.verify(createDifferentOtp(otp)), 400, 'OTP_INVALID'));
  t.equal((await owner.verify(otp)).status, 200);
});

t.test('a code is compared at most five times for its own network and five times for others', async (t) => {
  const app = await startTestApp(t);
  const otp = await callsFrom(app, OWN_NETWORK).register();
  for (const address of strangers(4))
    for (let count = 0; count < 3; count++) await callsFrom(app, address).verify(createDifferentOtp(otp));
  t.match(await queryDatabase(app, 'SELECT attempts, foreign_attempts FROM pending_registrations'), [
    { attempts: 0, foreign_attempts: 5 },
  ]);
  const [, , , , , other = ''] = strangers(6);
  t.ok(isProblem(await callsFrom(app, other).verify(otp), 400, 'OTP_INVALID'), 'void for others');
  t.equal((await callsFrom(app, OWN_NETWORK).verify(otp)).status, 200);
});

t.test(
  'a guess is compared with the codes of its own network, or costs one comparison for each',
  async (t) => {
    const app = await startTestApp(t);
    const codes = new Map<string, string>();
    for (const address of [OWN_NETWORK, ...strangers(4)])
      codes.set(address, await callsFrom(app, address).register(`${PLANTED} ${address}`));
    const [planted = ''] = strangers(1);
    const owner = callsFrom(app, OWN_NETWORK);
    if (codes.get(planted) !== codes.get(OWN_NETWORK))
      t.ok(isProblem(await owner.verify(codes.get(planted) ?? ''), 400, 'OTP_INVALID'));
    t.match(
      await queryDatabase(app, 'SELECT attempts FROM pending_registrations ORDER BY attempts DESC'),
      [{ attempts: 1 }, { attempts: 0 }, { attempts: 0 }, { attempts: 0 }, { attempts: 0 }],
      'one guess, one code',
    );
    const elsewhere = callsFrom(app, '192.0.2.9');
    const wrong = createDifferentOtp(...codes.values());
    for (let count = 0; count < 2; count++) t.equal((await elsewhere.verify(wrong)).status, 400);
    t.ok(
      isProblem(await elsewhere.verify(wrong), 429, 'RATE_LIMITED'),
      'two guesses at five codes, ten an hour',
    );
    const own = `${PLANTED} ${OWN_NETWORK}`;
    t.equal((await owner.verify(codes.get(OWN_NETWORK) ?? '', own)).status, 200);
    t.equal((await owner.login(own)).status, 200);
  },
);

t.test('how many guesses are allowed does not tell whether the address has an account', async (t) => {
  const app = await startTestApp(t);
  const { email: member } = await app.createUser();
  const count = async (address: string) => {
    const post = (path: string, remoteAddress: string, body: object) =>
      app.call('POST', `/api/auth/${path}`, { remoteAddress, body: { email: address, ...body } });
    for (const [index, stranger] of strangers(3).entries())
      await post('register', stranger, { password: `${PLANTED} ${index}` });
    await post('register', '203.0.113.9', { password: PLANTED });
    await post('resend-otp', '192.0.2.9', {});
    const statuses: number[] = [];
    for (const remoteAddress of ['203.0.113.9', '192.0.2.9', '192.0.7.9'])
      for (let guess = 0; guess < 12; guess++)
        statuses.push((await post('verify-otp', remoteAddress, { otp: '000000' })).status);
    return statuses;
  };
  t.same(await count(email), await count(member));
});

t.test("registrations of others neither swallow nor push out the owner's", async (t) => {
  const app = await startTestApp(t);
  const owner = callsFrom(app, OWN_NETWORK);
  for (const address of strangers(4))
    for (let count = 0; count < 3; count++) await callsFrom(app, address).register(`${PLANTED} ${count}`);
  const otp = await owner.register();
  t.match(otp, /^\d{6}$/, 'mailed, although the open budget of the address is nearly used up');
  for (const address of strangers(4))
    for (let count = 0; count < 7; count++) await callsFrom(app, address).register(`${PLANTED} ${count}`);
  t.equal((await owner.verify(otp, TEST_PASSWORD)).status, 200);
  t.equal((await owner.login(TEST_PASSWORD)).status, 200);
});

t.test("a hundred registrations from many networks do not push out the owner's", async (t) => {
  const app = await startTestApp(t);
  const owner = callsFrom(app, OWN_NETWORK);
  const otp = await owner.register();
  await queryDatabase(
    app,
    `INSERT INTO pending_registrations (id, user_id, password_hash, otp_hash, network_hash, expires_at, created_at)
     SELECT lpad(n::text, 24, '0'), user_id, 'x', otp_hash, int4send(n % 25), expires_at, now() + n * interval '1 second'
     FROM pending_registrations, generate_series(1, 125) AS n`,
  );
  await callsFrom(app, '203.0.113.9').register(PLANTED);
  t.equal(await app.database.client.pendingRegistration.count(), 100);
  t.equal((await owner.verify(otp)).status, 200);
});

t.test('a registration beyond the mail quota is stored, and its code can be resent', async (t) => {
  const app = await startTestApp(t);
  const owner = callsFrom(app, OWN_NETWORK);
  for (let count = 0; count < 3; count++) t.match(await owner.register(`${PLANTED} ${count}`), /^\d{6}$/);
  t.equal(await owner.register(), '', 'no fourth mail');
  t.equal(await app.database.client.pendingRegistration.count(), 4);
});

t.test('a resend from elsewhere leaves the code valid and sends one for there', async (t) => {
  const app = await startTestApp(t);
  const owner = callsFrom(app, OWN_NETWORK);
  const otp = await owner.register();
  const [stranger = '', phone = ''] = strangers(2);
  await callsFrom(app, stranger).resend();
  const [mail] = await listMailsCausedBy(app, email, () => callsFrom(app, phone).resend());
  const forPhone = /^\d{6}/.exec(mail?.subject ?? '')?.[0] ?? '';
  t.equal(await app.database.client.pendingRegistration.count(), 3);
  if (forPhone !== otp) t.equal((await callsFrom(app, phone).verify(otp)).status, 400, 'has its own code');
  t.equal((await callsFrom(app, phone).verify(forPhone)).status, 200);
  t.equal((await owner.login(TEST_PASSWORD)).status, 200);
});

t.test('a resend from elsewhere keeps the profile of the registration', async (t) => {
  const app = await startTestApp(t);
  await app.call('POST', '/api/auth/register', {
    body: { email, password: TEST_PASSWORD, firstName: 'Ada' },
    remoteAddress: OWN_NETWORK,
  });
  const otp = await resendAndGetOtp(app, email);
  const verified = await app.call('POST', '/api/auth/verify-otp', { body: { email, otp } });
  t.match(verified.body, { user: { firstName: 'Ada' } });
});

t.test('wrong passwords from other networks stop neither a new device nor a known network', async (t) => {
  const app = await startTestApp(t);
  await app.createUser({ email });
  const [known = ''] = ['127.0.0.1'];
  const guess = async (address: string, times: number) => {
    for (let count = 0; count < times; count++) {
      await queryDatabase(app, 'UPDATE login_delays SET next_allowed_at = now()');
      await callsFrom(app, address).login('not the password at all');
    }
  };
  for (const address of strangers(8)) await guess(address, 12);
  const newDevice = callsFrom(app, OWN_NETWORK);
  t.equal((await newDevice.login('a typing error')).status, 401);
  t.equal((await newDevice.login(TEST_PASSWORD)).status, 200, 'a new device in a new network');
  for (const address of strangers(8)) await guess(address, 12);
  await guess(known, 6);
  t.equal((await callsFrom(app, known).login(TEST_PASSWORD)).status, 200, 'a network of earlier logins');
});

t.test('guesses from many networks at one password are bounded', async (t) => {
  const app = await startTestApp(t);
  await app.createUser({ email });
  const compared = async (addresses: readonly string[]) => {
    let count = 0;
    for (const address of addresses)
      for (let index = 0; index < 4; index++)
        if ((await callsFrom(app, address).login('not the password at all')).status === 401) count++;
    return count;
  };
  await compared(strangers(20));
  const oneProvider = Array.from({ length: 15 }, (_, index) => `203.200.${index}.9`);
  t.equal(await compared(oneProvider), 20, 'twenty a day for a provider');
  t.equal(await compared(strangers(100).slice(20, 30)), 20, 'two a day for each network');
});

t.test("reset emails that others asked for do not suppress the owner's", async (t) => {
  const app = await startTestApp(t);
  await app.createUser({ email });
  for (const address of strangers(6))
    for (let count = 0; count < 4; count++) await callsFrom(app, address).forgot();
  t.equal((await callsFrom(app, OWN_NETWORK).forgot()).length, 1);
});
