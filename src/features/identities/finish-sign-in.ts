import { randomBytes } from 'node:crypto';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { ProviderRedirect } from '../../providers/identity/identity.port.ts';
import { ServiceError } from '../../shared/errors.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import { removeProfilePicture } from '../accounts/profile-picture-files.ts';
import type { IdentityServices } from './identity-services.ts';
import { personOf } from './person-of-identity.ts';
import { proofHash } from './proof-hash.ts';
import { askProvider, recordRefusal } from './record-refusal.ts';
import { insertSignInCode } from './sign-in-code.repository.ts';
import { attemptOf, readState } from './sign-in-state.ts';
import { spendProof } from './spent-proof.repository.ts';

/**
 * Ends the round trip through the provider: checks that the answer belongs to the browser or client that began, once
 * over all instances, finds the person, and makes the one-time code that the front end changes for tokens.
 * Opens no session. `isCookieBound`: a cookie has to bind the code, too, as no challenge does. Throws SIGN_IN_INVALID, IDENTITY_NOT_VERIFIED, IDENTITY_CONFLICT, ACCOUNT_SUSPENDED and
 * PROVIDER_UNAVAILABLE, each with an entry in the trail.
 */
export async function finishSignIn(
  services: IdentityServices,
  caller: Caller,
  answer: { redirect: ProviderRedirect; cookie: string | undefined; redirectUri: string },
): Promise<{ code: string; isCookieBound: boolean }> {
  const { database, vault } = services;
  const state = readState(vault, answer.redirect.state, answer.cookie);
  const issuer = services.identityProvider?.issuer ?? '';
  const proven = await askProvider(services, caller, async (provider) => {
    const spent = state && {
      kind: 'STATE' as const,
      hash: proofHash(state.state),
      expiresAt: state.expiresAt,
    };
    if (!spent || !(await spendProof(database.client, spent))) throw new ServiceError('SIGN_IN_INVALID');
    return provider.redeem(attemptOf(vault, state.state, answer.redirectUri), answer.redirect);
  });

  const code = randomBytes(32).toString('base64url');
  const person = await database.transaction(async (tx) => {
    const found = await personOf(services, caller, tx, issuer, proven);
    if ('refused' in found) {
      await recordRefusal(tx, caller, found);
      return found;
    }
    await insertSignInCode(tx, {
      identityId: found.identityId,
      codeHash: proofHash(code),
      codeChallenge: state?.codeChallenge ?? null,
      expiresAt: new Date(Date.now() + LIFETIMES.signInCode * 1000),
    });
    const { userId } = found;
    await recordAction(tx, caller, { resourceId: userId, actorId: userId, wholeAddress: true });
    return found;
  });
  if ('refused' in person) throw new ServiceError(person.refused);
  services.postOffice.wake();
  if (person.unusedPicture) await removeProfilePicture(services.publicFiles, person.unusedPicture);
  return { code, isCookieBound: !state?.codeChallenge };
}
