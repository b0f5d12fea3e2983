import { generateAbsentId, startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { countStatuses, isProblem, runConcurrently } from '../identity/accounts/helper.ts';
import {
  enableSecondFactor,
  getMfaToken,
  logInWithPassword,
  verifySecondFactorCode,
} from '../identity/second-factor/helper.ts';

t.test('removing the second factor of a user ends all sessions and notifies the user', async (t) => {
  const test = await startTestApp(t);
  const { call, getMailBySubject } = test;
  const root = await test.createUser({ role: 'ADMIN' });
  const ada = await test.createUser();
  const remove = (id: string, token = root.accessToken) =>
    call('DELETE', `/api/admin/users/${id}/second-factor`, { token });
  t.ok(isProblem(await remove(ada.id), 409, 'MFA_NOT_ENABLED'));
  const { recoveryCodes } = await enableSecondFactor(test, ada);
  const waiting = await getMfaToken(test, ada.email);

  const trail = await captureAuditEntries(test, async () => {
    const answers = await runConcurrently(5, () => remove(ada.id));
    t.same(countStatuses(answers), { 200: 1, 409: 4 });
  });
  const removed = trail.filter(({ action }) => action === 'MFA_REMOVED');
  t.match(removed, [{ severity: 'CRITICAL', outcome: 'SUCCESS' }], 'one audit entry');
  t.match(await getMailBySubject(ada.email, /turned off your two-factor/), {
    text: /signed out everywhere\./,
  });
  t.equal((await call('GET', '/api/auth/me', { token: ada.accessToken })).status, 401, 'sessions have ended');
  const late = await verifySecondFactorCode(test, { mfaToken: waiting, recoveryCode: recoveryCodes[0] });
  t.equal(late.status, 401, 'a pending login is void');
  const again = await logInWithPassword(test, ada.email);
  t.equal(again.status, 200);
  t.type(again.body.accessToken, 'string');
  const token = again.body.accessToken;
  const notified = (await call('GET', '/api/notifications', { token })).body.data;
  t.ok(notified.some(({ event }: { event: string }) => event === 'second_factor.disabled'));
  t.equal(
    (await enableSecondFactor(test, { accessToken: token })).recoveryCodes.length,
    10,
    'a new second factor can be enrolled',
  );
});

t.test('administrators cannot remove their own second factor without a code', async (t) => {
  const test = await startTestApp(t);
  const { call } = test;
  const root = await test.createUser({ role: 'ADMIN' });
  await enableSecondFactor(test, root);
  const url = `/api/admin/users/${root.id}/second-factor`;
  const own = await call('DELETE', url, { token: root.accessToken });
  t.ok(isProblem(own, 403, 'FORBIDDEN'), own.text);
  const nobody = `/api/admin/users/${generateAbsentId()}/second-factor`;
  t.ok(isProblem(await call('DELETE', nobody, { token: root.accessToken }), 404, 'NOT_FOUND'));
  t.match(
    (await logInWithPassword(test, root.email)).body,
    { mfaRequired: true },
    'the second factor is still required',
  );
});

t.test('in enterprise mode, the login after a removal requires a new enrollment', async (t) => {
  const test = await startTestApp(t);
  const root = await test.createUser({ role: 'ADMIN' });
  const ada = await test.createUser();
  await enableSecondFactor(test, ada);
  const users = `/api/admin/users/${ada.id}`;
  const token = root.accessToken;
  t.equal((await test.call('PATCH', users, { token, body: { enterpriseMode: true } })).status, 200);
  t.equal((await test.call('DELETE', `${users}/second-factor`, { token })).status, 200);
  const { body } = await logInWithPassword(test, ada.email);
  const refused = await test.call('GET', '/api/qrcodes', { token: body.accessToken });
  t.equal(refused.status, 403);
  t.equal(refused.body.code, 'MFA_ENROLLMENT_REQUIRED');
});
