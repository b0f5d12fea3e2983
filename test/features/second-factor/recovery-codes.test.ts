import { type Answer, startApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { atOnce, isProblem, sql, tally } from '../accounts/helper.ts';
import { firstStep, unusedCode, withSecondFactor, wrongCode } from './helper.ts';

const app = await startApp(t);

/** A second step from an address of the network. */
const from = (remoteAddress: string, body: object) =>
  app.call('POST', '/api/auth/mfa/verify', { body, remoteAddress });

const WRONG = '0000-0000-0000-0000';

t.test('A11 wrong codes keep nobody from a recovery code', async (t) => {
  const person = await app.person();
  const { secret, recoveryCodes } = await withSecondFactor(app, person);
  const theirs = await firstStep(app, person.email);
  const tries = await atOnce(12, () => from('203.0.113.7', { mfaToken: theirs, code: wrongCode(secret) }));
  t.equal(tally(tries)[401], 5);
  const own = await firstStep(app, person.email);
  const recovered = await from('203.0.113.7', { mfaToken: own, recoveryCode: recoveryCodes[0] });
  t.equal(recovered.status, 200, 'from the same network, by a device that nobody knows');
});

t.test(
  'A11 wrong recovery codes from one network keep another from nothing, and close no code',
  async (t) => {
    const person = await app.person();
    const { secret, recoveryCodes } = await withSecondFactor(app, person);
    const theirs = await firstStep(app, person.email);
    const tries: Answer[] = [];
    for (let round = 0; round < 5; round++)
      tries.push(...(await atOnce(8, () => from('203.0.113.7', { mfaToken: theirs, recoveryCode: WRONG }))));
    t.equal(tally(tries)[401], 30, 'thirty in a quarter of an hour');
    const here = await firstStep(app, person.email);
    const refused = await from('203.0.113.99', { mfaToken: here, recoveryCode: recoveryCodes[0] });
    t.ok(isProblem(refused, 429, 'RATE_LIMITED'), 'for the whole network');
    const code = await unusedCode(app, secret);
    t.equal(
      (await from('203.0.113.7', { mfaToken: here, code })).status,
      200,
      'codes have tries of their own',
    );
    t.match(await sql(app, 'SELECT wrong_codes FROM second_factors WHERE user_id = $1', person.id), [
      { wrong_codes: 0 },
    ]);
    const elsewhere = await firstStep(app, person.email);
    const recovered = await from('198.51.100.1', { mfaToken: elsewhere, recoveryCode: recoveryCodes[0] });
    t.equal(recovered.status, 200);
  },
);
