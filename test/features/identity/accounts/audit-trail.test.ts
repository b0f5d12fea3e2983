import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { listMailsTo, requestResetToken, TEST_PROFILE } from './helper.ts';

t.test('every account change and every rejected secret has exactly one audit entry', async (t) => {
  const app = await startTestApp(t);
  const email = 'trail@example.org';
  const NEW = 'a quite different password';
  let token: string | undefined;
  let id = '';
  let refreshToken = '';
  const post = (url: string, body: object = {}) => app.call('POST', `/api/auth/${url}`, { token, body });
  const one = async (
    title: string,
    action: string,
    outcome: string,
    status: number,
    work: () => ReturnType<typeof post>,
  ) => {
    let answered = 0;
    const entries = await captureAuditEntries(app, async () => {
      answered = (await work()).status;
    });
    t.equal(answered, status, title);
    t.same(
      entries.map((entry) => `${entry.action} ${entry.outcome}`),
      [`${action} ${outcome}`],
      title,
    );
  };
  const none = async (title: string, work: () => ReturnType<typeof post>) => {
    t.same(await captureAuditEntries(app, work), [], title);
  };

  await one('registering', 'USER_REGISTERED', 'SUCCESS', 201, () =>
    post('register', { email, password: TEST_PASSWORD }),
  );
  await one('a login before verification', 'LOGIN_FAILED', 'DENIED', 401, () =>
    post('login', { email, password: TEST_PASSWORD }),
  );
  const first = await app.getOtp(email);
  await one('another code', 'OTP_RESENT', 'SUCCESS', 200, () => post('resend-otp', { email }));
  await one('a code for an unknown address', 'OTP_RESENT', 'DENIED', 200, () =>
    post('resend-otp', { email: 'nobody@example.org' }),
  );
  await one('a link for an unknown address', 'PASSWORD_RESET_REQUESTED', 'DENIED', 200, () =>
    post('forgot-password', { email: 'nobody@example.org' }),
  );
  const otp =
    (await listMailsTo(app, email))
      .map(({ subject }) => subject.slice(0, 6))
      .find((code) => code !== first) ?? first;
  await one('a wrong code', 'OTP_REJECTED', 'DENIED', 400, () =>
    post('verify-otp', { email, otp: otp === '000000' ? '111111' : '000000' }),
  );
  await one('the right code', 'EMAIL_VERIFIED', 'SUCCESS', 200, async () => {
    const answer = await post('verify-otp', { email, otp });
    token = answer.body.accessToken;
    id = answer.body.user.id;
    return answer;
  });
  await one('registering again', 'USER_REGISTRATION_REPEATED', 'SUCCESS', 201, () =>
    post('register', { email, password: NEW }),
  );
  await one('no profile yet', 'ACCESS_DENIED', 'DENIED', 403, () =>
    app.call('POST', '/api/qrcodes', { token, body: {} }),
  );
  await one('the profile', 'PROFILE_CREATED', 'SUCCESS', 201, () => post('create-profile', TEST_PROFILE));
  await none('the profile again', () => post('create-profile', TEST_PROFILE));
  await one('a change', 'PROFILE_UPDATED', 'SUCCESS', 200, () =>
    app.call('PUT', `/api/auth/profile/${id}`, { token, body: { firstName: 'Grace' } }),
  );
  await none('a refused change', () =>
    app.call('PUT', `/api/auth/profile/${id}`, { token, body: { firstName: 1 } }),
  );
  await none('reading', () => app.call('GET', `/api/auth/profile/${id}`, { token }));
  await none('reading the own account', () => app.call('GET', '/api/auth/me', { token }));
  await one('a wrong password', 'LOGIN_FAILED', 'DENIED', 401, () => post('login', { email, password: NEW }));
  await one('a login', 'LOGIN_SUCCEEDED', 'SUCCESS', 200, async () => {
    const answer = await post('login', { email, password: TEST_PASSWORD });
    refreshToken = answer.body.refreshToken;
    return answer;
  });
  await one('a refresh', 'SESSION_REFRESHED', 'SUCCESS', 200, () => post('refresh-token', { refreshToken }));
  await none('its repeat', () => post('refresh-token', { refreshToken }));
  await app.database.client
    .$executeRaw`UPDATE refresh_tokens SET rotated_at = rotated_at - interval '1 minute'`;
  await one('its reuse', 'REFRESH_TOKEN_REUSED', 'DENIED', 401, () =>
    post('refresh-token', { refreshToken }),
  );
  await none('an unknown token', () => post('refresh-token', { refreshToken: 'x' }));
  await one('a wrong current password', 'PASSWORD_CHANGE_REJECTED', 'DENIED', 401, () =>
    post('change-password', { currentPassword: NEW, newPassword: NEW }),
  );
  await one('a new password', 'PASSWORD_CHANGED', 'SUCCESS', 200, () =>
    post('change-password', { currentPassword: TEST_PASSWORD, newPassword: NEW }),
  );
  let reset = '';
  const requested = await captureAuditEntries(app, async () => {
    reset = await requestResetToken(app, email);
  });
  t.match(requested, [{ action: 'PASSWORD_RESET_REQUESTED', outcome: 'SUCCESS' }]);
  t.equal(requested.length, 1, 'one entry for the reset link');
  await one('a wrong link', 'PASSWORD_RESET_REJECTED', 'DENIED', 400, () =>
    post('reset-password', { token: 'x', password: NEW }),
  );
  await one('a logout', 'LOGOUT', 'SUCCESS', 200, () => post('logout'));
  await none('a second logout', () => post('logout'));
  await one('the link', 'PASSWORD_RESET', 'SUCCESS', 200, () =>
    post('reset-password', { token: reset, password: TEST_PASSWORD }),
  );
});
