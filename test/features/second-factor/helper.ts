import { Secret, TOTP } from 'otpauth';
import { type Answer, PASSWORD, type Person, type TestApp } from '../../helper.ts';
import { sql } from '../accounts/helper.ts';

const PERIOD = 30_000;

/** The code that an authenticator application shows, so many steps from now. */
export function codeOf(secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * PERIOD });
}

/** A code of six digits that is none of those around now. */
export function wrongCode(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
  );
}

/** A code that was not used yet: the database is told that none was. */
export async function unusedCode(app: TestApp, secret: string): Promise<string> {
  await sql(app, 'UPDATE second_factors SET last_step = 0 WHERE confirmed_at IS NOT NULL');
  return codeOf(secret);
}

/** Switches a second factor on for a person. */
export async function withSecondFactor(
  app: TestApp,
  person: Pick<Person, 'accessToken'>,
): Promise<{ secret: string; recoveryCodes: string[]; deviceToken: string }> {
  const token = person.accessToken;
  const { secret } = (await app.call('POST', '/api/auth/mfa/enroll', { token, body: { password: PASSWORD } }))
    .body;
  const confirmed = await app.call('POST', '/api/auth/mfa/confirm', {
    token,
    body: { code: codeOf(secret) },
  });
  const { recoveryCodes, deviceToken } = confirmed.body;
  return { secret, recoveryCodes, deviceToken };
}

/** The first step of a log-in; its answer. */
export function logIn(app: TestApp, email: string, more: object = {}): Promise<Answer> {
  return app.call('POST', '/api/auth/login', { body: { email, password: PASSWORD, ...more } });
}

/** The token that the first step of a log-in answers. */
export async function firstStep(app: TestApp, email: string, more: object = {}): Promise<string> {
  return String((await logIn(app, email, more)).body.mfaToken);
}

/** The second step. */
export function verify(app: TestApp, body: object): Promise<Answer> {
  return app.call('POST', '/api/auth/mfa/verify', { body });
}
