import { randomBytes } from 'node:crypto';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { AuthorizationResponse } from '../../../providers/identity/identity.port.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { deleteProfilePicture } from '../accounts/profile-picture-files.ts';
import { callIdentityProvider, recordSignInRefusal } from './call-identity-provider.ts';
import { exchangeAuthorization } from './exchange-authorization.ts';
import type { IdentityServices } from './identity-services.ts';
import { hashSignInProof } from './proof-hash.ts';
import { resolveIdentityUser } from './resolve-identity-user.ts';
import { insertSignInCode } from './sign-in-code.repository.ts';
import { verifySignInState } from './sign-in-state.ts';

/**
 * Accept a response once over all instances, create a one-time code but no session, and record failures.
 * @throws SIGN_IN_INVALID, IDENTITY_NOT_VERIFIED, IDENTITY_CONFLICT, ACCOUNT_SUSPENDED, PROVIDER_UNAVAILABLE
 */
export async function completeSignInAuthorization(
  services: IdentityServices,
  context: RequestContext,
  answer: { redirect: AuthorizationResponse; cookie: string | undefined; redirectUri: string },
): Promise<{ code: string; isCookieBound: boolean }> {
  const { database, fieldCipher } = services;
  const state = verifySignInState(fieldCipher, answer.redirect.state, answer.cookie);
  const issuer = services.identityProvider?.issuer ?? '';
  const identity = await callIdentityProvider(services, context, (provider) =>
    exchangeAuthorization(services, provider, state, answer),
  );

  const code = randomBytes(32).toString('base64url');
  const user = await database.transaction(async (tx) => {
    const resolution = await resolveIdentityUser(context, tx, issuer, identity);
    if ('errorCode' in resolution) {
      await recordSignInRefusal(tx, context, resolution);
      return resolution;
    }
    await insertSignInCode(tx, {
      identityId: resolution.identityId,
      codeHash: hashSignInProof(code),
      codeChallenge: state?.codeChallenge ?? null,
      expiresAt: new Date(Date.now() + LIFETIMES_SECONDS.signInCode * 1000),
    });
    const { userId } = resolution;
    await recordAuditEntry(tx, context, { resourceId: userId, actorId: userId, storeFullAddress: true });
    return resolution;
  });
  if ('errorCode' in user) throw new ServiceError(user.errorCode);
  services.mailOutbox.wake();
  if (user.orphanedPicture) await deleteProfilePicture(services.publicFiles, user.orphanedPicture);
  return { code, isCookieBound: !state?.codeChallenge };
}
