import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { IdentityServices } from './identity-services.ts';
import type { SignInRefusal } from './resolve-identity-user.ts';
import { createIdentityProviderNotConfiguredError, mapIdentityProviderError } from './sign-in-errors.ts';

export function recordSignInRefusal(
  tx: Tx,
  context: RequestContext,
  user: Partial<SignInRefusal> = {},
): Promise<void> {
  return recordAuditEntry(tx, context, {
    action: 'IDENTITY_SIGN_IN_REJECTED',
    outcome: 'DENIED',
    storeFullAddress: true,
    ...(user.userId ? { resourceId: user.userId } : {}),
  });
}

/**
 * Record failures in the audit trail.
 * @throws SIGN_IN_INVALID; PROVIDER_UNAVAILABLE without a response or a configured provider
 */
export async function callIdentityProvider<Answer>(
  { database, identityProvider }: IdentityServices,
  context: RequestContext,
  request: (provider: NonNullable<IdentityServices['identityProvider']>) => Promise<Answer>,
): Promise<Answer> {
  if (!identityProvider) throw createIdentityProviderNotConfiguredError();
  try {
    return await request(identityProvider);
  } catch (cause) {
    const error = mapIdentityProviderError(cause);
    if (!(error instanceof ServiceError)) throw error;
    const outcome = error.code === 'PROVIDER_UNAVAILABLE' ? 'FAILURE' : 'DENIED';
    await database.transaction((tx) =>
      recordAuditEntry(tx, context, { action: 'IDENTITY_SIGN_IN_REJECTED', outcome, storeFullAddress: true }),
    );
    throw error;
  }
}
