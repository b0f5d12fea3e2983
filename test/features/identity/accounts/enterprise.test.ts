import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { getOpenApiDocument } from '../../../openapi-document.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import {
  enableSecondFactor,
  generateTotpCode,
  generateUnusedTotpCode,
  getMfaToken,
  logInWithPassword,
  verifySecondFactorCode,
} from '../second-factor/helper.ts';
import { findAuditEntries, isProblem, queryDatabase } from './helper.ts';

const enterprise = (app: TestApp, id: string, isOn = true) =>
  queryDatabase(app, 'UPDATE users SET enterprise_mode = $1 WHERE id = $2', isOn, id);

/** Seconds between the iat and exp claims of an access token. */
function getLifetimeSeconds(token: string): number {
  const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return exp - iat;
}

t.test(
  'in enterprise mode an account without a second factor can only enroll, log out and read its state',
  async (t) => {
    for (const isEnforced of [false, true]) {
      const app = await startTestApp(t, isEnforced ? { ENTERPRISE_MODE: 'hipaa' } : {});
      const createUser = await app.createUser({ profile: false });
      const { accessToken: token, id } = createUser;
      if (!isEnforced) {
        t.equal(
          (await app.call('GET', '/api/qrcodes', { token })).status,
          200,
          'before enterprise mode is on',
        );
        await enterprise(app, id);
      }
      const document = await getOpenApiDocument(app.call);
      const open: string[] = [];
      for (const [path, operations] of Object.entries<Record<string, { security?: object[] }>>(
        document.paths,
      )) {
        for (const [method, { security }] of Object.entries(operations)) {
          if (!security?.length || security.some((way) => Object.keys(way).length === 0)) continue;
          if (path === '/api/auth/logout') continue;
          const url = path.replace(/\{\w+\}/g, '0'.repeat(24));
          const answer = await app.call(method.toUpperCase(), url, {
            token,
            ...(method === 'get' ? {} : { body: {} }),
          });
          if (!isProblem(answer, 403, 'MFA_ENROLLMENT_REQUIRED')) open.push(`${method} ${path}`);
        }
      }
      t.same(open.sort(), [
        'get /api/auth/me',
        'get /api/auth/mfa',
        'post /api/auth/mfa/confirm',
        'post /api/auth/mfa/enroll',
      ]);
      t.equal((await app.call('GET', '/api/auth/me', { token })).body.nextStep, 'ENROLL_MFA');
      t.equal((await app.call('GET', '/api/auth/mfa', { token })).body.required, true);
      t.match((await findAuditEntries(app, 'ACCESS_DENIED'))[0], { outcome: 'DENIED' });

      const body = { password: TEST_PASSWORD };
      t.equal((await app.call('POST', '/api/auth/mfa/enroll', { token, body })).status, 200);
      t.equal((await app.call('GET', '/api/qrcodes', { token })).status, 403, 'until its first code');
      await enableSecondFactor(app, createUser);
      t.equal((await app.call('GET', '/api/qrcodes', { token })).status, 200, 'from the next request on');
      t.equal((await app.call('GET', '/api/auth/me', { token })).body.nextStep, 'CREATE_PROFILE');
      t.equal((await app.call('POST', '/api/auth/logout', { token })).status, 200);
    }
  },
);

t.test('on public routes an account that has to enroll is treated as anonymous', async (t) => {
  const app = await startTestApp(t);
  const createUser = await app.createUser();
  const { accessToken: token, id } = createUser;
  const created = await app.call('POST', '/api/qrcodes', {
    token,
    body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
  });
  const { scan } = (await app.call('POST', '/api/scans/public', { body: { qrCodeId: created.body.id } }))
    .body;
  const read = async () => Object.keys((await app.call('GET', `/api/scans/${scan.id}`, { token })).body);
  t.ok((await read()).includes('ip'), 'the owner sees everything');
  await enterprise(app, id);
  t.same((await read()).sort(), ['id', 'kind', 'scannedAt', 'status']);
  t.equal((await app.call('POST', '/api/auth/logout', { token })).status, 200);
  t.match(await queryDatabase(app, 'SELECT end_reason FROM sessions'), [{ end_reason: 'LOGOUT' }]);
});

t.test(
  'enterprise mode shortens access tokens and sessions, and a refresh does not extend them',
  async (t) => {
    const app = await startTestApp(t);
    const createUser = await app.createUser();
    const { secret } = await enableSecondFactor(app, createUser);
    t.equal(getLifetimeSeconds(createUser.accessToken), 900);
    await enterprise(app, createUser.id);
    const mfaToken = await getMfaToken(app, createUser.email);
    const { body } = await verifySecondFactorCode(app, {
      mfaToken,
      code: await generateUnusedTotpCode(app, secret),
    });
    t.equal(body.expiresIn, 300);
    t.equal(getLifetimeSeconds(body.accessToken), 300);
    const hours = async () =>
      (
        await queryDatabase(
          app,
          'SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int AS hours FROM sessions ORDER BY created_at DESC LIMIT 1',
        )
      )[0].hours;
    t.equal(await hours(), 12);
    await queryDatabase(app, "UPDATE sessions SET created_at = created_at - interval '11 hours'");
    const refresh = (refreshToken: string) =>
      app.call('POST', '/api/auth/refresh-token', { body: { refreshToken } });
    const refreshed = await refresh(body.refreshToken);
    t.equal(getLifetimeSeconds(refreshed.body.accessToken), 300);
    t.equal(await hours(), 12, 'a refresh does not extend the session');
    await queryDatabase(
      app,
      "UPDATE sessions SET created_at = created_at - interval '1 hour', last_used_at = now()",
    );
    t.equal((await app.call('GET', '/api/auth/me', { token: refreshed.body.accessToken })).status, 401);
    t.ok(isProblem(await refresh(refreshed.body.refreshToken), 401, 'REFRESH_TOKEN_INVALID'));

    await enterprise(app, createUser.id, false);
    t.equal(
      (await app.call('GET', '/api/auth/me', { token: createUser.accessToken })).status,
      200,
      'an older session is valid again without enterprise mode',
    );
  },
);

t.test('in enterprise mode each medical code of a list has a separate audit entry', async (t) => {
  const app = await startTestApp(t);
  const createUser = await app.createUser();
  const { accessToken: token, id } = createUser;
  const createCode = async (kind: string, data: object) =>
    (await app.call('POST', '/api/qrcodes', { token, body: { kind, title: kind, data } })).body.id;
  const medical = [
    await createCode('MEDICAL', { name: 'Ada' }),
    await createCode('MEDICAL', { name: 'Grace' }),
  ];
  await createCode('PET', { name: 'Rex' });
  const list = () => app.call('GET', '/api/qrcodes', { token });
  t.same(await captureAuditEntries(app, list), [], 'no entry outside enterprise mode');
  await enableSecondFactor(app, createUser);
  await enterprise(app, id);
  const entries = await captureAuditEntries(app, list);
  t.same(entries.map(({ action, resourceId }) => `${action} ${resourceId}`).sort(), [
    ...medical.map((code) => `MEDICAL_DATA_LISTED ${code}`).sort(),
  ]);
  t.match(await captureAuditEntries(app, () => app.call('GET', `/api/qrcodes/${medical[0]}`, { token })), [
    { action: 'MEDICAL_DATA_READ', resourceId: medical[0] },
  ]);

  await app.call('DELETE', `/api/qrcodes/${medical[0]}`, { token });
  const listActions = async (query: string) => {
    const list = () => app.call('GET', `/api/qrcodes?${query}`, { token });
    return (await captureAuditEntries(app, list)).map(({ action, resourceId }) => `${action} ${resourceId}`);
  };
  const since = `updatedSince=${new Date(Date.now() - 60_000).toISOString()}`;
  for (const include of ['data', 'pictures']) {
    t.same(await listActions(`include=${include}&status=DELETED`), [`MEDICAL_DATA_LISTED ${medical[0]}`]);
    t.same((await listActions(`include=${include}&${since}`)).sort(), [
      `MEDICAL_DATA_LISTED ${medical[0]}`,
      `MEDICAL_DATA_READ ${medical[1]}`,
    ]);
  }
});

t.test('in enterprise mode the log has no IP address and no user agent', async (t) => {
  const app = await startTestApp(t, { ENTERPRISE_MODE: 'hipaa' });
  const { email } = await app.createUser({ profile: false });
  const from = { remoteAddress: '203.0.113.77', headers: { 'user-agent': 'canary-agent' } };
  await app.call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD }, ...from });
  await app.call('POST', '/api/auth/login', { body: { email, password: 'wrong' }, ...from });
  await app.call('GET', '/nowhere', from);
  t.ok(app.log.length >= 3);
  t.notMatch(app.log.join(''), /203\.0\.113|canary-agent/);
});

t.test('exports must be encrypted in enterprise mode of the account or of the service', async (t) => {
  const app = await startTestApp(t);
  const { id } = await app.createUser();
  const mustEncrypt = () => app.services.mustEncryptExport(app.database.client, id);
  t.equal(await mustEncrypt(), false);
  await enterprise(app, id);
  t.equal(await mustEncrypt(), true);
  const hipaa = await startTestApp(t, { ENTERPRISE_MODE: 'hipaa' });
  const other = await hipaa.createUser();
  t.equal(await hipaa.services.mustEncryptExport(hipaa.database.client, other.id), true);
});

t.test('in enterprise mode an account that removes its second factor can only enroll again', async (t) => {
  const app = await startTestApp(t, { ENTERPRISE_MODE: 'hipaa' });
  const createUser = await app.createUser({ profile: false });
  const { accessToken: token, email } = createUser;
  const { secret } = await enableSecondFactor(app, createUser);
  const code = await generateUnusedTotpCode(app, secret);
  await app.call('DELETE', '/api/auth/mfa', { token, body: { password: TEST_PASSWORD, code } });
  t.ok(isProblem(await app.call('GET', '/api/qrcodes', { token }), 403, 'MFA_ENROLLMENT_REQUIRED'));
  const again = (await logInWithPassword(app, email)).body.accessToken;
  t.ok(isProblem(await app.call('GET', '/api/qrcodes', { token: again }), 403, 'MFA_ENROLLMENT_REQUIRED'));
  const enrolled = await app.call('POST', '/api/auth/mfa/enroll', {
    token: again,
    body: { password: TEST_PASSWORD },
  });
  const body = { code: generateTotpCode(enrolled.body.secret) };
  t.equal((await app.call('POST', '/api/auth/mfa/confirm', { token: again, body })).status, 200);
  t.equal((await app.call('GET', '/api/qrcodes', { token: again })).status, 200);
});
