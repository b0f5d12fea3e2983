import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { IdentityServices } from './identity-services.ts';
import type { RefusedPerson } from './person-of-identity.ts';
import { notConfigured, withoutProvider } from './sign-in-errors.ts';

/** Records that a sign-in was refused, in the transaction that decided it. */
export function recordRefusal(tx: Tx, caller: Caller, person: Partial<RefusedPerson> = {}): Promise<void> {
  return recordAction(tx, caller, {
    action: 'IDENTITY_REFUSED',
    outcome: 'DENIED',
    wholeAddress: true,
    ...(person.userId ? { resourceId: person.userId } : {}),
  });
}

/**
 * What a provider answers, `ask` being the question. Throws, once the trail has it, SIGN_IN_INVALID where the answer
 * proves nothing and PROVIDER_UNAVAILABLE where there is none or no provider is configured.
 */
export async function askProvider<Answer>(
  { database, identityProvider }: IdentityServices,
  caller: Caller,
  ask: (provider: NonNullable<IdentityServices['identityProvider']>) => Promise<Answer>,
): Promise<Answer> {
  if (!identityProvider) throw notConfigured();
  try {
    return await ask(identityProvider);
  } catch (thrown) {
    const error = withoutProvider(thrown);
    if (!(error instanceof ServiceError)) throw error;
    const outcome = error.code === 'PROVIDER_UNAVAILABLE' ? 'FAILURE' : 'DENIED';
    await database.transaction((tx) =>
      recordAction(tx, caller, { action: 'IDENTITY_REFUSED', outcome, wholeAddress: true }),
    );
    throw error;
  }
}
