import { startTestApp, type TestResponse } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { countStatuses, isProblem, queryDatabase, runConcurrently } from '../accounts/helper.ts';
import { enableSecondFactor, generateUnusedTotpCode, generateWrongTotpCode, getMfaToken } from './helper.ts';

const app = await startTestApp(t);

const from = (remoteAddress: string, body: object) =>
  app.call('POST', '/api/auth/mfa/verify', { body, remoteAddress });

const WRONG = '0000-0000-0000-0000-0000-0000';

t.test('wrong codes do not block recovery codes', async (t) => {
  const createUser = await app.createUser();
  const { secret, recoveryCodes } = await enableSecondFactor(app, createUser);
  const attackerToken = await getMfaToken(app, createUser.email);
  const tries = await runConcurrently(12, () =>
    from('203.0.113.7', { mfaToken: attackerToken, code: generateWrongTotpCode(secret) }),
  );
  t.equal(countStatuses(tries)[401], 5);
  const own = await getMfaToken(app, createUser.email);
  const recovered = await from('203.0.113.7', { mfaToken: own, recoveryCode: recoveryCodes[0] });
  t.equal(recovered.status, 200, 'from the same network and an unknown device');
});

t.test(
  'wrong recovery codes from one network block neither other networks nor the second-factor code',
  async (t) => {
    const createUser = await app.createUser();
    const { secret, recoveryCodes } = await enableSecondFactor(app, createUser);
    const attackerToken = await getMfaToken(app, createUser.email);
    const tries: TestResponse[] = [];
    for (let round = 0; round < 5; round++)
      tries.push(
        ...(await runConcurrently(8, () =>
          from('203.0.113.7', { mfaToken: attackerToken, recoveryCode: WRONG }),
        )),
      );
    t.equal(countStatuses(tries)[401], 30, 'thirty in a quarter of an hour');
    const here = await getMfaToken(app, createUser.email);
    const refused = await from('203.0.113.99', { mfaToken: here, recoveryCode: recoveryCodes[0] });
    t.ok(isProblem(refused, 429, 'RATE_LIMITED'), 'for the whole network');
    const code = await generateUnusedTotpCode(app, secret);
    t.equal(
      (await from('203.0.113.7', { mfaToken: here, code })).status,
      200,
      'second-factor codes have a separate limit',
    );
    t.match(
      await queryDatabase(app, 'SELECT wrong_codes FROM second_factors WHERE user_id = $1', createUser.id),
      [{ wrong_codes: 0 }],
    );
    const elsewhere = await getMfaToken(app, createUser.email);
    const recovered = await from('198.51.100.1', { mfaToken: elsewhere, recoveryCode: recoveryCodes[0] });
    t.equal(recovered.status, 200);
  },
);
