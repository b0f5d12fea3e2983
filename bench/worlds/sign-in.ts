import { createServiceOwner, OWNER_SIGN_IN } from '../../test/process/create-service-owner.ts';
import { withClient } from '../scratch-database.ts';
import type { DataWorld } from './data-world.ts';

/** Sign a generated user in to the pages for owners; returns the Cookie header of a browser. */
export async function signInToPages({ base, ownerUrl }: DataWorld, userId: string): Promise<string> {
  await createServiceOwner(base, ownerUrl);
  const email = await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ email: string }>(
      `UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = $1) WHERE id = $2 RETURNING email`,
      [OWNER_SIGN_IN.email, userId],
    );
    return rows[0]?.email ?? '';
  });
  const form = await fetch(`${base}/app/sign-in`);
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await form.text()) ?? [];
  const signedIn = await fetch(`${base}/app/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: toCookieHeader(form), Origin: base },
    body: new URLSearchParams({ token, email, password: OWNER_SIGN_IN.password }),
  });
  if (signedIn.status !== 303) throw new Error(`A sign-in was answered with ${signedIn.status}.`);
  return toCookieHeader(signedIn);
}

function toCookieHeader({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');
}
