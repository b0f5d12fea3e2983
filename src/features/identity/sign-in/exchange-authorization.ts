import type {
  AuthorizationResponse,
  IdentityProvider,
  VerifiedIdentity,
} from '../../../providers/identity/identity.port.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { IdentityServices } from './identity-services.ts';
import { hashSignInProof } from './proof-hash.ts';
import { consumeSignInProof } from './sign-in-proof.repository.ts';
import { deriveSignInAttempt, type SignInState } from './sign-in-state.ts';

/** Exchange the response of a provider for an identity, once over all instances. @throws SIGN_IN_INVALID, IdentityProviderError */
export async function exchangeAuthorization(
  { database, fieldCipher }: Pick<IdentityServices, 'database' | 'fieldCipher'>,
  provider: IdentityProvider,
  state: SignInState | null,
  { redirect, redirectUri }: { redirect: AuthorizationResponse; redirectUri: string },
): Promise<VerifiedIdentity> {
  const proof = state && {
    kind: 'STATE' as const,
    hash: hashSignInProof(state.state),
    expiresAt: state.expiresAt,
  };
  if (!proof || !(await consumeSignInProof(database.client, proof)))
    throw new ServiceError('SIGN_IN_INVALID');
  return provider.exchangeCode(deriveSignInAttempt(fieldCipher, state.state, redirectUri), redirect);
}
