import bcrypt from 'bcrypt';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureStatements, registerAndGetOtp } from './helper.ts';

const TEST_PASSWORD_OF_PENDING = 'the password of a pending registration';

t.test('the work done for an address does not depend on whether it is known', async (t) => {
  const app = await startTestApp(t);
  const { email: member } = await app.createUser();
  await registerAndGetOtp(app, 'pending@example.org', TEST_PASSWORD_OF_PENDING);
  const addresses = { member, pending: 'pending@example.org', nobody: 'nobody@example.org' };
  for (const [url, more] of [
    ['forgot-password', {}],
    ['resend-otp', {}],
    ['register', { password: TEST_PASSWORD, firstName: 'Ada' }],
    ['login', { password: 'not the password at all' }],
    ['login', { password: TEST_PASSWORD_OF_PENDING }],
    ['verify-otp', { otp: '000000' }],
  ] as const) {
    const statements = new Map<string, string[]>();
    for (const [kind, email] of Object.entries(addresses)) {
      const call = () => app.call('POST', `/api/auth/${url}`, { body: { email, ...more } });
      statements.set(kind, await captureStatements(t, app, call));
    }
    const unknownStatements = statements.get('nobody') ?? [];
    t.ok(unknownStatements.length > 3, `${url}: ${unknownStatements.length} statements`);
    t.same(statements.get('member'), unknownStatements, `${url}: known and unknown address`);
    t.same(statements.get('pending'), unknownStatements, `${url}: pending and unknown address`);
  }
});

t.test('a login costs one hash, however many registrations are pending', async (t) => {
  const app = await startTestApp(t);
  const { email: member } = await app.createUser();
  const pending = 'pending@example.org';
  for (const password of ['the first password', 'the second one', 'the third of them'])
    await registerAndGetOtp(app, pending, password);
  const work = async (email: string, password: string) => {
    const calls = t.capture(bcrypt, 'hash', bcrypt.hash);
    const { status } = await app.call('POST', '/api/auth/login', { body: { email, password } });
    const hashes = calls().length;
    calls.restore();
    return { status, hashes };
  };
  t.same(await work('nobody@example.org', TEST_PASSWORD), { status: 401, hashes: 1 });
  t.same(await work(member, 'a wrong password'), { status: 401, hashes: 1 });
  t.same(await work(member, TEST_PASSWORD), { status: 200, hashes: 1 });
  t.same(await work(pending, 'a wrong password'), { status: 401, hashes: 1 });
  t.same(await work(pending, 'the first password'), { status: 401, hashes: 1 });
});
