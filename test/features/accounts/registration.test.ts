import t from 'tap';
import { PASSWORD, startApp } from '../../helper.ts';

t.test('A person registers, confirms the code from the mail, and makes a profile', async (t) => {
  const { call, otpFor } = await startApp(t);
  const email = 'Ada@Example.org';
  const registered = await call('POST', '/api/auth/register', { body: { email, password: PASSWORD } });
  t.equal(registered.status, 201, registered.text);
  t.match(registered.body, { email: 'ada@example.org', status: 'PENDING_VERIFICATION' });

  const otp = await otpFor('ada@example.org');
  t.match(otp, /^\d{6}$/);
  const verified = await call('POST', '/api/auth/verify-otp', { body: { email, otp } });
  t.equal(verified.status, 200, verified.text);
  t.match(verified.body, { tokenType: 'Bearer', expiresIn: 900, user: { status: 'VERIFIED', role: 'USER' } });
  const token = verified.body.accessToken;

  const me = await call('GET', '/api/auth/me', { token });
  t.match(me.body, { nextStep: 'CREATE_PROFILE', package: { code: 'FREE' }, limits: { qrCodes: 50 } });

  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL', phone: '+44 20 7946 0000' };
  const created = await call('POST', '/api/auth/create-profile', { token, body: profile });
  t.equal(created.status, 201, created.text);
  t.match(created.body, { ...profile, status: 'ACTIVE', email: 'ada@example.org' });
  t.equal((await call('POST', '/api/auth/create-profile', { token, body: profile })).status, 409);

  const login = await call('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
  t.equal(login.status, 200, login.text);
  t.equal((await call('GET', `/api/auth/profile/${created.body.id}`, { token })).body.phone, profile.phone);
});
