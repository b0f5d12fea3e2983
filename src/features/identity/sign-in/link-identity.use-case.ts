import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { AuthorizationResponse, VerifiedIdentity } from '../../../providers/identity/identity.port.ts';
import { normalizeVerifiedEmail } from '../../../shared/email.ts';
import { ServiceError, type ServiceErrorCode } from '../../../shared/errors.ts';
import { lockUserAndSession } from '../accounts/lock-user-and-session.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import { getRedirectUri } from './begin-authorization.ts';
import { callIdentityProvider, recordSignInRefusal } from './call-identity-provider.ts';
import { exchangeAuthorization } from './exchange-authorization.ts';
import type { IdentitySchema, IdTokenSignInRequest } from './identities.schemas.ts';
import {
  findIdentity,
  findOwnIdentity,
  forgetUnlinkedIssuer,
  hasIdentityFromIssuer,
  insertIdentity,
} from './identity.repository.ts';
import { toIdentityView } from './identity.view.ts';
import type { IdentityServices } from './identity-services.ts';
import { formatIdentityProviderName } from './link.rules.ts';
import { createIdTokenProof } from './proof-hash.ts';
import { consumeSignInProof } from './sign-in-proof.repository.ts';
import { isIdentityLinkBound, verifySignInState } from './sign-in-state.ts';

/** Refused because of the identity, so that the audit trail shows it. */
const REFUSALS: readonly ServiceErrorCode[] = [
  'IDENTITY_CONFLICT',
  'IDENTITY_NOT_VERIFIED',
  'SIGN_IN_INVALID',
];

/**
 * Link the identity of an ID token, whatever its address, as after unlinking it. Linking it again changes nothing.
 * @throws SIGN_IN_INVALID, IDENTITY_NOT_VERIFIED, IDENTITY_CONFLICT, REAUTHENTICATION_REQUIRED, PROVIDER_UNAVAILABLE
 */
export async function linkIdentity(
  services: IdentityServices,
  context: RequestContext,
  user: CurrentUser,
  { idToken, nonce }: Static<typeof IdTokenSignInRequest>,
): Promise<LinkedIdentity> {
  await requireRecentLogin(services.database.client, user);
  const identity = await callIdentityProvider(services, context, (provider) =>
    provider.verifyIdToken(idToken, nonce),
  );
  const proof = createIdTokenProof(idToken, identity.expiresAt);
  return linkVerifiedIdentity(services, context, user, identity, proof);
}

/** Link the identity that a provider confirmed to the session in which this began, once. @throws as `linkIdentity` */
export async function linkAuthorizedIdentity(
  services: IdentityServices,
  context: RequestContext,
  user: CurrentUser,
  answer: { redirect: AuthorizationResponse; cookie: string | undefined; binding: string | undefined },
): Promise<LinkedIdentity> {
  const { database, fieldCipher, publicBaseUrl } = services;
  await requireRecentLogin(database.client, user);
  const { redirect } = answer;
  const state = verifySignInState(fieldCipher, redirect.state, answer.cookie);
  const isBound = state !== null && isIdentityLinkBound(fieldCipher, state.state, user, answer.binding);
  const response = { redirect, redirectUri: getRedirectUri(publicBaseUrl) };
  const identity = await callIdentityProvider(services, context, (provider) =>
    exchangeAuthorization(services, provider, isBound ? state : null, response),
  );
  return linkVerifiedIdentity(services, context, user, identity, null);
}

interface LinkedIdentity {
  identity: Static<typeof IdentitySchema>;
  isNew: boolean;
}

/** `proof` is that of an ID token, which links once. */
async function linkVerifiedIdentity(
  services: IdentityServices,
  context: RequestContext,
  user: CurrentUser,
  identity: VerifiedIdentity,
  proof: ReturnType<typeof createIdTokenProof> | null,
): Promise<LinkedIdentity> {
  const { database, mailOutbox } = services;
  const issuer = services.identityProvider?.issuer ?? '';
  const email = identity.emailVerified ? normalizeVerifiedEmail(identity.email ?? '') : null;
  try {
    if (!email) throw new ServiceError('IDENTITY_NOT_VERIFIED');
    const result = await database.transaction((tx) => link(tx, email));
    mailOutbox.wake();
    return result;
  } catch (error) {
    if (error instanceof ServiceError && REFUSALS.includes(error.code))
      await database.transaction((tx) =>
        recordSignInRefusal(tx, context, { errorCode: error.code, userId: user.id }),
      );
    throw error;
  }

  async function link(tx: Tx, email: string) {
    await lockUserAndSession(tx, user);
    await requireRecentLogin(tx, user);
    const linked = await findIdentity(tx, issuer, identity.subject);
    if (linked && linked.userId !== user.id) throw new ServiceError('IDENTITY_CONFLICT');
    const id = linked?.id ?? (await linkNewIdentity(tx, email));
    await recordAuditEntry(tx, context, { resourceId: user.id, changes: linked ? [] : ['identities'] });
    const row = await findOwnIdentity(tx, user.id, id);
    if (!row) throw new Error('The identity was linked in this transaction.');
    return { identity: toIdentityView(row), isNew: !linked };
  }

  async function linkNewIdentity(tx: Tx, email: string): Promise<string> {
    if (await hasIdentityFromIssuer(tx, user.id, issuer)) throw new ServiceError('IDENTITY_CONFLICT');
    const { subject } = identity;
    if (proof && !(await consumeSignInProof(tx, proof))) throw new ServiceError('SIGN_IN_INVALID');
    await forgetUnlinkedIssuer(tx, user.id, issuer);
    const values = { provider: formatIdentityProviderName(issuer) };
    await mailOutbox.enqueue(tx, { template: 'IDENTITY_LINKED', to: user.email, values });
    return insertIdentity(tx, { userId: user.id, issuer, subject, email, confirmedAt: new Date() });
  }
}
