import type { Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { completeFirstFactor } from '../accounts/complete-first-factor.ts';
import type { LoginResult } from '../accounts/log-in.use-case.ts';
import { deleteProfilePicture } from '../accounts/profile-picture-files.ts';
import { lockUser } from '../accounts/user.repository.ts';
import { callIdentityProvider, recordSignInRefusal } from './call-identity-provider.ts';
import type { IdentityServices } from './identity-services.ts';
import { createIdTokenProof, hashSignInProof } from './proof-hash.ts';
import { resolveIdentityUser, type SignInRefusal } from './resolve-identity-user.ts';
import { consumeSignInCode, findSignInCode } from './sign-in-code.repository.ts';
import { consumeSignInProof } from './sign-in-proof.repository.ts';
import { isSignInCodeCookieValid } from './sign-in-state.ts';

/**
 * The code is bound to the client, so that an attacker cannot plant one, and consumed in any case.
 * @throws SIGN_IN_INVALID, ACCOUNT_SUSPENDED
 */
export async function exchangeSignInCode(
  services: IdentityServices,
  context: RequestContext,
  input: { code: string; codeVerifier?: string | undefined; cookie: string | undefined },
): Promise<LoginResult> {
  return completeProviderSignIn(services, context, async (tx) => {
    const codeHash = hashSignInProof(input.code);
    const signInCode = await findSignInCode(tx, codeHash);
    // Lock order: the user first. Unlinking the identity deletes the code.
    if (signInCode) await lockUser(tx, signInCode.userId);
    const consumedCode = await consumeSignInCode(tx, codeHash);
    if (!consumedCode) return { errorCode: 'SIGN_IN_INVALID' };
    return isCodeBound(services.fieldCipher, input, consumedCode.codeChallenge)
      ? consumedCode
      : { errorCode: 'SIGN_IN_INVALID', userId: consumedCode.userId };
  });
}

/** Each token works once. @throws as `exchangeSignInCode` */
export async function signInWithIdToken(
  services: IdentityServices,
  context: RequestContext,
  input: { idToken: string; nonce?: string | undefined },
): Promise<LoginResult> {
  const { idToken, nonce } = input;
  const issuer = services.identityProvider?.issuer ?? '';
  const identity = await callIdentityProvider(services, context, async (provider) => {
    const { expiresAt, ...resolvedUser } = await provider.verifyIdToken(idToken, nonce);
    const proof = createIdTokenProof(idToken, expiresAt);
    // Committed separately, so that repeated requests do not wait for the transaction.
    if (!(await consumeSignInProof(services.database.client, proof)))
      throw new ServiceError('SIGN_IN_INVALID');
    return resolvedUser;
  });
  let orphanedPicture: string | null = null;
  const resolvedUser = await completeProviderSignIn(services, context, async (tx) => {
    const resolution = await resolveIdentityUser(context, tx, issuer, identity);
    if ('orphanedPicture' in resolution) orphanedPicture = resolution.orphanedPicture;
    return resolution;
  });
  if (orphanedPicture) await deleteProfilePicture(services.publicFiles, orphanedPicture);
  return resolvedUser;
}

/** A verifier without a challenge is rejected. */
function isCodeBound(
  fieldCipher: FieldCipher,
  codeInput: { code: string; codeVerifier?: string | undefined; cookie: string | undefined },
  codeChallenge: string | null,
): boolean {
  const { code, codeVerifier, cookie } = codeInput;
  if (codeChallenge === null)
    return codeVerifier === undefined && isSignInCodeCookieValid(fieldCipher, code, cookie);
  return (
    codeVerifier !== undefined &&
    timingSafeEquals(hashSignInProof(codeVerifier).toString('base64url'), codeChallenge)
  );
}

async function completeProviderSignIn(
  services: IdentityServices,
  context: RequestContext,
  resolveUser: (tx: Tx) => Promise<{ userId: string; identityId: string } | SignInRefusal>,
): Promise<LoginResult> {
  const outcome = await services.database.transaction(async (tx) => {
    const resolution = await resolveUser(tx);
    const user = 'errorCode' in resolution ? null : await lockUser(tx, resolution.userId);
    if ('errorCode' in resolution || !user || user.status === 'SUSPENDED') {
      const errorCode = user ? 'ACCOUNT_SUSPENDED' : 'SIGN_IN_INVALID';
      const refusal: SignInRefusal =
        'errorCode' in resolution ? resolution : { errorCode, userId: resolution.userId };
      await recordSignInRefusal(tx, context, refusal);
      return refusal;
    }
    const { identityId } = resolution;
    return { user, loginStep: await completeFirstFactor(services, context, tx, user, { identityId }) };
  });
  if ('errorCode' in outcome) throw new ServiceError(outcome.errorCode);
  services.mailOutbox.wake();
  return outcome;
}
