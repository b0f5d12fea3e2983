import { refundAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { chooseLocale } from '../../../shared/i18n/choose-locale.ts';
import { generateId } from '../../../shared/ids.ts';
import type { AccountServices } from './account-services.ts';
import { type CreatedSession, createSession } from './create-session.ts';
import { deriveEmailLoginThrottleKeys } from './device-token.ts';
import { resetLoginFailures } from './login-delay.repository.ts';
import { hashOtp } from './one-time-code.ts';
import { consumeOtpGuess, hashRegistrationNetwork } from './otp-limits.ts';
import { findMissingProfileFieldErrors } from './profile.rules.ts';
import { encryptUserProfileUpdate } from './profile-update.ts';
import { PENDING_PROFILE } from './register-user.ts';
import { consumeOtpAttempts, deleteUserRegistrations, getRegistration } from './registration.repository.ts';
import { lockUserByEmail, markEmailVerified, type UserRow } from './user.repository.ts';

export interface ConfirmedRegistration {
  user: UserRow;
  session: CreatedSession;
}

type PendingRegistration = Awaited<ReturnType<typeof getRegistration>>;

/** Compared when there is no registration; no code has this hash. */
const DUMMY_REGISTRATION = { id: '0'.repeat(24), otpHash: Buffer.alloc(32) };

/**
 * Make the password of the matching registration that of the account, and delete other registrations.
 * @throws OTP_INVALID (wrong, expired, used and unknown alike), RATE_LIMITED
 */
export async function confirmEmail(
  services: AccountServices,
  context: RequestContext,
  input: { email: string; otp: string },
): Promise<ConfirmedRegistration> {
  const confirmed = await services.database.transaction(async (tx) => {
    const { email, otp } = input;
    const { address } = context;
    // In the same transaction: an internal error costs no attempt, and parallel calls are serialized.
    const guess = await consumeOtpGuess(services, tx, email, address);
    const user = await lockUserByEmail(tx, email);
    // Runs for unknown addresses as well, so that timing does not reveal pending registrations.
    const query = {
      userId: user?.status === 'PENDING_VERIFICATION' ? user.id : '',
      networkHash: hashRegistrationNetwork(services, email, address),
      isOwnNetwork: guess.isOwnNetwork,
      limit: guess.comparisons,
    };
    const candidates = await consumeOtpAttempts(tx, query, guess.codeKey);
    const registrations = candidates.length > 0 ? candidates : [DUMMY_REGISTRATION];
    const matching = registrations.find(({ id, otpHash: storedHash }) =>
      timingSafeEquals(storedHash, hashOtp(services, id, otp)),
    );
    if (!user || !matching) {
      // A random id keeps the work equal for unknown addresses.
      const resourceId = user?.id ?? generateId();
      await recordAuditEntry(tx, context, { action: 'OTP_REJECTED', outcome: 'DENIED', resourceId });
      return null;
    }
    await refundAttempts(tx, [guess.codeKey]);
    await refundAttempts(tx, guess.budgetKeys, guess.comparisons);
    return activateUser(services, context, tx, user.id, await getRegistration(tx, matching.id));
  });
  if (!confirmed) throw new ServiceError('OTP_INVALID');
  return confirmed;
}

async function activateUser(
  services: AccountServices,
  context: RequestContext,
  tx: Tx,
  userId: string,
  match: PendingRegistration,
): Promise<ConfirmedRegistration> {
  const profile = match.profile
    ? PENDING_PROFILE.decryptValue(services.fieldCipher, { id: match.id, userId }, match.profile)
    : {};
  const isComplete = findMissingProfileFieldErrors(profile).length === 0;
  if (isComplete) profile.accountType ??= 'INDIVIDUAL';
  const user = await markEmailVerified(tx, userId, isComplete ? 'ACTIVE' : 'VERIFIED', {
    // Not the language of the first registration, which another person may have started.
    language: chooseLocale(undefined, context.acceptLanguage).tag,
    ...encryptUserProfileUpdate(services.fieldCipher, userId, profile),
    passwordHash: match.passwordHash,
  });
  await deleteUserRegistrations(tx, userId);
  await resetLoginFailures(
    tx,
    deriveEmailLoginThrottleKeys(services.fieldCipher, user.email, context.address),
  );
  const session = await createSession(services, context, tx, user);
  await recordAuditEntry(tx, context, { resourceId: userId, actorId: userId, storeFullAddress: true });
  return { user, session };
}
