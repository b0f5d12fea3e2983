import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../../shared/errors.ts';
import { admit } from '../accounts/admit.ts';
import type { LoggedIn } from '../accounts/log-in.ts';
import { removeProfilePicture } from '../accounts/profile-picture-files.ts';
import { lockUser } from '../accounts/user.repository.ts';
import type { IdentityServices } from './identity-services.ts';
import { personOf, type RefusedPerson } from './person-of-identity.ts';
import { proofHash } from './proof-hash.ts';
import { askProvider, recordRefusal } from './record-refusal.ts';
import { findSignInCode, takeSignInCode } from './sign-in-code.repository.ts';
import { codeCookieValueFor } from './sign-in-state.ts';
import { spendProof } from './spent-proof.repository.ts';

/** Milliseconds that an ID token is remembered beyond its end: clocks that go wrong by half a minute are forgiven. */
const KEPT_LONGER = 60_000;

/**
 * Lets a person in by the one-time code of a sign-in, with the secret of the client that began it where it gave a
 * challenge, else with the cookie of the browser that the code was given to: a code that somebody plants opens nothing.
 * The code is used up whatever comes of it. Throws SIGN_IN_INVALID, ACCOUNT_SUSPENDED.
 */
export async function enterByCode(
  services: IdentityServices,
  caller: Caller,
  input: { code: string; codeVerifier?: string | undefined; cookie: string | undefined },
): Promise<LoggedIn> {
  return enter(services, caller, async (tx) => {
    const codeHash = proofHash(input.code);
    const found = await findSignInCode(tx, codeHash);
    // The person first, as everywhere: taking the identity off them waits here, and takes the code with it.
    if (found) await lockUser(tx, found.userId);
    const taken = await takeSignInCode(tx, codeHash);
    if (!taken) return { refused: 'SIGN_IN_INVALID' };
    return isBound(services.vault, input, taken.codeChallenge)
      ? taken
      : { refused: 'SIGN_IN_INVALID', userId: taken.userId };
  });
}

/**
 * Lets a person in by an ID token that a native application got from the provider; each token once. Throws as
 * `finishSignIn` does.
 */
export async function enterByToken(
  services: IdentityServices,
  caller: Caller,
  input: { idToken: string; nonce?: string | undefined },
): Promise<LoggedIn> {
  const { idToken, nonce } = input;
  const issuer = services.identityProvider?.issuer ?? '';
  const proven = await askProvider(services, caller, async (provider) => {
    const { expiresAt, ...person } = await provider.verifyIdToken(idToken, nonce);
    // What the signature covers: a signature itself can be written in more ways than one.
    const hash = proofHash(idToken.slice(0, idToken.lastIndexOf('.')));
    const proof = { kind: 'ID_TOKEN' as const, hash, expiresAt: new Date(expiresAt.getTime() + KEPT_LONGER) };
    // Stored at once: those who send it again wait for nothing.
    if (!(await spendProof(services.database.client, proof))) throw new ServiceError('SIGN_IN_INVALID');
    return person;
  });
  let unusedPicture: string | null = null;
  const person = await enter(services, caller, async (tx) => {
    const found = await personOf(services, caller, tx, issuer, proven);
    if ('unusedPicture' in found) unusedPicture = found.unusedPicture;
    return found;
  });
  if (unusedPicture) await removeProfilePicture(services.publicFiles, unusedPicture);
  return person;
}

/** Whether a code is brought by whoever it was given to. A secret where no challenge was given is a mistake. */
function isBound(
  vault: Vault,
  given: { code: string; codeVerifier?: string | undefined; cookie: string | undefined },
  codeChallenge: string | null,
): boolean {
  const { code, codeVerifier, cookie } = given;
  if (codeChallenge === null)
    return codeVerifier === undefined && sameBytes(codeCookieValueFor(vault, code), cookie ?? '');
  return (
    codeVerifier !== undefined && sameBytes(proofHash(codeVerifier).toString('base64url'), codeChallenge)
  );
}

async function enter(
  services: IdentityServices,
  caller: Caller,
  find: (tx: Tx) => Promise<{ userId: string } | RefusedPerson>,
): Promise<LoggedIn> {
  const entered = await services.database.transaction(async (tx) => {
    const found = await find(tx);
    const user = 'refused' in found ? null : await lockUser(tx, found.userId);
    if (!user || user.status === 'SUSPENDED') {
      const refused = user ? 'ACCOUNT_SUSPENDED' : 'SIGN_IN_INVALID';
      const refusal: RefusedPerson = 'refused' in found ? found : { refused, userId: found.userId };
      await recordRefusal(tx, caller, refusal);
      return refusal;
    }
    return { user, admission: await admit(services, caller, tx, user) };
  });
  if ('refused' in entered) throw new ServiceError(entered.refused);
  services.postOffice.wake();
  return entered;
}
