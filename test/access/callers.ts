import { createSessionFormToken } from '../../src/features/owner-pages/form-token.ts';
import type { UserRole } from '../../src/permissions.ts';
import {
  createSessionCookieValue,
  generateSessionCookieSecret,
  hashSessionCookieSecret,
} from '../../src/platform/session-cookie.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { CallOptions, TestApp } from '../helper.ts';

/** All kinds of callers: without a credential, with an invalid one, and with each role. */
export const CALLERS = [
  'anonymous',
  'ended',
  'unverified',
  'suspended',
  'incomplete',
  'stranger',
  'owner',
  'support',
  'auditor',
  'admin',
] as const;

export type CallerName = (typeof CALLERS)[number];

/** Invalid credentials: none, of an ended session, of an unconfirmed address. */
export const UNAUTHENTICATED_CALLERS: readonly CallerName[] = ['anonymous', 'ended', 'unverified'];

export interface CallerAccount {
  id: string;
  email: string;
}

/** Insert the accounts of the callers directly. */
export async function createCallerAccounts(test: TestApp): Promise<Record<CallerName, CallerAccount>> {
  const passwordHash = await test.services.passwords.hash('correct horse battery staple');
  const make = async (name: CallerName, status: string, role: UserRole = 'USER') => {
    const names = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
    const account = { id: generateId(), email: `${name}@example.org` };
    await test.database.client.user.create({
      data: {
        ...account,
        passwordHash,
        status,
        role,
        // Of a profile that was created by a call of its own.
        ...(status === 'ACTIVE' ? { ...names, version: 2 } : {}),
      },
    });
    return account;
  };
  return {
    anonymous: { id: generateId(), email: 'nobody@example.org' },
    ended: await make('ended', 'ACTIVE'),
    unverified: await make('unverified', 'PENDING_VERIFICATION'),
    suspended: await make('suspended', 'SUSPENDED'),
    incomplete: await make('incomplete', 'VERIFIED'),
    stranger: await make('stranger', 'ACTIVE'),
    owner: await make('owner', 'ACTIVE'),
    support: await make('support', 'ACTIVE', 'SUPPORT'),
    auditor: await make('auditor', 'ACTIVE', 'AUDITOR'),
    admin: await make('admin', 'ACTIVE', 'ADMIN'),
  };
}

export interface TestSession {
  sessionId: string;
  token: string;
  /** What a page for owners has in place of the token: the cookie, and the token of its forms. */
  page: { cookie: string; formToken: string };
}

/** Create a session with its access token and its cookie; the session may have ended. */
export async function createSessionToken(
  { app, database, services: { fieldCipher } }: TestApp,
  account: CallerAccount,
  options: { ended?: boolean } = {},
): Promise<TestSession> {
  const sessionId = generateId();
  const secret = generateSessionCookieSecret();
  await database.client.session.create({
    data: {
      id: sessionId,
      userId: account.id,
      ip: '192.0.2.1',
      userAgent: 'matrix',
      expiresAt: new Date(Date.now() + 3_600_000),
      cookieHash: hashSessionCookieSecret(fieldCipher, secret),
      ...(options.ended ? { endedAt: new Date(), endReason: 'LOGOUT' } : {}),
    },
  });
  const value = createSessionCookieValue(fieldCipher, { secret, sessionId, userId: account.id });
  return {
    sessionId,
    // The role in the token must be ignored, so it is always the highest one.
    token: app.signAccessToken({ id: account.id, role: 'ADMIN' }, sessionId, 900),
    page: { cookie: `__Host-session=${value}`, formToken: createSessionFormToken(fieldCipher, sessionId) },
  };
}

const BROWSER = 'b'.repeat(22);

/** Add the credential of a caller to a request: the cookie for pages of owners, else the access token. */
export function addCredential(
  { services: { fieldCipher } }: TestApp,
  path: string,
  caller: CallerName,
  session: Pick<TestSession, 'token' | 'page'> | undefined,
  { headers, body }: { headers?: Record<string, string>; body?: unknown },
): CallOptions {
  if (!/^\/app(\/|$)/.test(path)) return { token: session?.token, body, headers: headers ?? {} };
  const cookies = [`__Host-browser=${BROWSER}`, ...(session ? [session.page.cookie] : [])];
  const credential = { ...headers, cookie: cookies.join('; ') };
  if (body === undefined) return { headers: credential };
  const isSignedIn = session && !UNAUTHENTICATED_CALLERS.includes(caller);
  const token = isSignedIn ? session.page.formToken : createSessionFormToken(fieldCipher, BROWSER);
  return { headers: credential, body: `${String(body)}&${new URLSearchParams({ token })}` };
}
