import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runQuery } from '../scratch-folder.ts';

/** Of the first user. */
export const OWNER_SIGN_IN = { email: 'owner@example.org', password: randomBytes(18).toString('base64url') };

/** Create the first user of a running service, without a code limit. */
export async function createServiceOwner(base: string, ownerUrl: string) {
  await runQuery(ownerUrl, `UPDATE subscription_packages SET limits = limits || '{"qrCodes": null}'`);
  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  await post('/api/auth/register', OWNER_SIGN_IN);
  const otp = await waitForOtp(base);
  const { accessToken = '' } = await post('/api/auth/verify-otp', { email: OWNER_SIGN_IN.email, otp });
  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await post('/api/auth/create-profile', profile, accessToken);
  return {
    token: accessToken,
    post: (path: string, body: object) => post(path, body, accessToken),
  };
}

async function waitForOtp(base: string): Promise<string> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const page = await (await fetch(`${base}/api/sandbox/mailbox`)).text();
    const [, otp] = />(\d{6}) /.exec(page) ?? [];
    if (otp) return otp;
    await sleep(50);
  }
  throw new Error('No mail came.');
}
