import { refundAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { normalizeEmail } from '../../../shared/email.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { chooseLocale } from '../../../shared/i18n/choose-locale.ts';
import { guessTimeZone } from '../../../shared/i18n/guess-time-zone.ts';
import { generateId } from '../../../shared/ids.ts';
import { saveOrganizationOfProfile } from '../organizations/manage-organizations.use-case.ts';
import type { AccountServices } from './account-services.ts';
import { type CreatedSession, createSession } from './create-session.ts';
import { deriveEmailLoginThrottleKeys } from './device-token.ts';
import { resetLoginFailures } from './login-delay.repository.ts';
import { hashOtp } from './one-time-code.ts';
import { consumeOtpGuess, hashRegistrationNetwork } from './otp-limits.ts';
import { createPasswordResetLink, PASSWORD_RESET_LINK_MINUTES } from './password-reset-link.ts';
import { findMissingProfileFieldErrors } from './profile.rules.ts';
import { runWithStoredProfilePicture } from './profile-picture-upload.ts';
import { encryptUserProfileUpdate } from './profile-update.ts';
import { deriveRegistrationPasswordSalt, PENDING_PROFILE } from './register-user.ts';
import {
  consumeOtpAttempts,
  deleteUserRegistrations,
  findNewestRegistrationOfPassword,
  findRegistration,
  listRegistrationPasswords,
  refundOtpAttempts,
} from './registration.repository.ts';
import { decryptRegistrationPicture } from './registration-picture.ts';
import { lockUserByEmail, markEmailVerified, type UserRow } from './user.repository.ts';

export interface ConfirmedRegistration {
  user: UserRow;
  session: CreatedSession;
  /** The user has no password, and was mailed a link to choose one. */
  isPasswordMissing: boolean;
}

type StoredRegistration = NonNullable<Awaited<ReturnType<typeof findRegistration>>>;

/** Without a password where it has to be chosen again. */
type PendingRegistration = Omit<StoredRegistration, 'passwordHash'> & { passwordHash: string | null };

/** Compared when there is no registration; no code has this hash. */
const DUMMY_REGISTRATION = { id: '0'.repeat(24), otpHash: Buffer.alloc(32) };

/**
 * Confirm an address by the code of a registration, and delete all its registrations. If they have one password, or the
 * caller names the password of one, that registration is completed. Otherwise the code proves the address only: whoever
 * registered it besides knows one of the passwords, so the user gets a link to choose another.
 * @throws OTP_INVALID (wrong, expired, used and unknown alike), RATE_LIMITED, BUSY, PROVIDER_UNAVAILABLE if its picture
 * cannot be stored: the code stays valid
 */
export async function confirmEmail(
  services: AccountServices,
  context: RequestContext,
  { email: address, otp, password }: { email: string; otp: string; password?: string | undefined },
): Promise<ConfirmedRegistration> {
  const email = normalizeEmail(address);
  if (!email) throw new ServiceError('OTP_INVALID');
  const salt = deriveRegistrationPasswordSalt(services, email);
  const passwordHash =
    password === undefined ? null : await services.passwords.runQueued((slot) => slot.hash(password, salt));
  const confirmed = await confirmEmailByHash(services, context, { email, otp, passwordHash });
  services.mailOutbox.wake();
  return confirmed;
}

async function confirmEmailByHash(
  services: AccountServices,
  context: RequestContext,
  input: { email: string; otp: string; passwordHash: string | null },
): Promise<ConfirmedRegistration> {
  const found = await services.database.transaction(async (tx) => {
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
    const match = await chooseRegistration(tx, user.id, matching.id, input.passwordHash);
    if (!match) return null;
    // A transaction does not wait for the store of files; if it fails, the guess was none.
    if (match.picture) await refundOtpAttempts(tx, candidates, guess.isOwnNetwork);
    const confirmed = match.picture ? null : await activateUser(services, context, tx, match);
    return { match, confirmed };
  });
  if (!found) throw new ServiceError('OTP_INVALID');
  return found.confirmed ?? activateUserWithPicture(services, context, input.email, found.match);
}

async function chooseRegistration(
  tx: Tx,
  userId: string,
  matchingId: string,
  passwordHash: string | null,
): Promise<PendingRegistration | null> {
  const proven = passwordHash && (await findNewestRegistrationOfPassword(tx, userId, passwordHash));
  if (proven) return proven;
  const match = await findRegistration(tx, matchingId);
  const passwords = await listRegistrationPasswords(tx, userId);
  // Who sends another password than that of the only registration did not make it.
  if (!match || (passwords.length === 1 && passwordHash === null)) return match;
  return { ...match, passwordHash: null, profile: null, picture: null };
}

/** Store the picture of the registration, then activate the user, unless the code was used meanwhile. */
async function activateUserWithPicture(
  services: AccountServices,
  context: RequestContext,
  email: string,
  { id, userId, picture: encrypted }: PendingRegistration,
): Promise<ConfirmedRegistration> {
  const { database, fieldCipher, publicFiles } = services;
  const picture = encrypted ? decryptRegistrationPicture(fieldCipher, { id, userId }, encrypted) : undefined;
  return runWithStoredProfilePicture(publicFiles, picture, async (profilePicture) => {
    const result = await database.transaction(async (tx) => {
      const user = await lockUserByEmail(tx, email);
      const match = user?.status === 'PENDING_VERIFICATION' && (await findRegistration(tx, id));
      if (!match) throw new ServiceError('OTP_INVALID');
      return activateUser(services, context, tx, match, profilePicture);
    });
    return { result, isReferenced: true };
  });
}

async function activateUser(
  services: AccountServices,
  context: RequestContext,
  tx: Tx,
  match: PendingRegistration,
  profilePicture?: string,
): Promise<ConfirmedRegistration> {
  const { userId } = match;
  const profile = match.profile
    ? PENDING_PROFILE.decryptValue(services.fieldCipher, { id: match.id, userId }, match.profile)
    : {};
  const isComplete = findMissingProfileFieldErrors(profile).length === 0;
  if (isComplete) profile.accountType ??= 'INDIVIDUAL';
  const user = await markEmailVerified(tx, userId, isComplete ? 'ACTIVE' : 'VERIFIED', {
    // Not the language of the first registration, which another person may have started.
    language: chooseLocale(undefined, context.acceptLanguage).tag,
    timeZone: guessTimeZone(context.acceptLanguage),
    ...encryptUserProfileUpdate(services.fieldCipher, userId, profile),
    profilePicture,
    passwordHash: match.passwordHash,
  });
  await saveOrganizationOfProfile(tx, context, user);
  await deleteUserRegistrations(tx, userId);
  await resetLoginFailures(
    tx,
    deriveEmailLoginThrottleKeys(services.fieldCipher, user.email, context.address),
  );
  const session = await createSession(services, context, tx, user);
  const isPasswordMissing = match.passwordHash === null;
  if (isPasswordMissing) {
    const { link } = await createPasswordResetLink(services, tx, user.email);
    const values = { link, minutes: PASSWORD_RESET_LINK_MINUTES };
    await services.mailOutbox.enqueue(tx, { template: 'PASSWORD_CHOICE', to: user.email, values });
  }
  await recordAuditEntry(tx, context, { resourceId: userId, actorId: userId, storeFullAddress: true });
  return { user, session, isPasswordMissing };
}
