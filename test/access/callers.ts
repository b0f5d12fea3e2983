import type { UserRole } from '../../src/permissions.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { TestApp } from '../helper.ts';

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

/** Create a session and its access token; the session may have ended. */
export async function createSessionToken(
  { app, database }: TestApp,
  account: CallerAccount,
  options: { ended?: boolean } = {},
): Promise<{ sessionId: string; token: string }> {
  const sessionId = generateId();
  await database.client.session.create({
    data: {
      id: sessionId,
      userId: account.id,
      ip: '192.0.2.1',
      userAgent: 'matrix',
      expiresAt: new Date(Date.now() + 3_600_000),
      ...(options.ended ? { endedAt: new Date(), endReason: 'LOGOUT' } : {}),
    },
  });
  // The role in the token must be ignored, so it is always the highest one.
  return { sessionId, token: app.signAccessToken({ id: account.id, role: 'ADMIN' }, sessionId, 900) };
}
