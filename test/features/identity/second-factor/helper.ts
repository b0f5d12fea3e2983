import { Secret, TOTP } from 'otpauth';
import { TEST_PASSWORD, type TestApp, type TestResponse, type TestUser } from '../../../helper.ts';
import { queryDatabase } from '../accounts/helper.ts';

const TOTP_PERIOD_MS = 30_000;

/** Generate the code of an authenticator application, this many steps from now. */
export function generateTotpCode(secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * TOTP_PERIOD_MS });
}

export function generateWrongTotpCode(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => generateTotpCode(secret, steps));
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
  );
}

/** Generate a code and reset the last used step in the database. */
export async function generateUnusedTotpCode(app: TestApp, secret: string): Promise<string> {
  await queryDatabase(app, 'UPDATE second_factors SET last_step = 0 WHERE confirmed_at IS NOT NULL');
  return generateTotpCode(secret);
}

export async function enableSecondFactor(
  app: TestApp,
  user: Pick<TestUser, 'accessToken'>,
): Promise<{ secret: string; recoveryCodes: string[]; deviceToken: string }> {
  const token = user.accessToken;
  const { secret } = (
    await app.call('POST', '/api/auth/mfa/enroll', { token, body: { password: TEST_PASSWORD } })
  ).body;
  const confirmed = await app.call('POST', '/api/auth/mfa/confirm', {
    token,
    body: { code: generateTotpCode(secret) },
  });
  const { recoveryCodes, deviceToken } = confirmed.body;
  return { secret, recoveryCodes, deviceToken };
}

export function logInWithPassword(app: TestApp, email: string, more: object = {}): Promise<TestResponse> {
  return app.call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD, ...more } });
}

export async function getMfaToken(app: TestApp, email: string, more: object = {}): Promise<string> {
  return String((await logInWithPassword(app, email, more)).body.mfaToken);
}

export function verifySecondFactorCode(app: TestApp, body: object): Promise<TestResponse> {
  return app.call('POST', '/api/auth/mfa/verify', { body });
}
