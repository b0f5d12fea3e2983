import { resetAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { chooseLocale } from '../../../shared/i18n/choose-locale.ts';
import { guessTimeZone } from '../../../shared/i18n/guess-time-zone.ts';
import { generateId, generateRandomDigits } from '../../../shared/ids.ts';
import { identityCatalogue } from '../catalogue.ts';
import type { AccountServices } from './account-services.ts';
import { createOtpMail, getOtpExpiry, hashOtp } from './one-time-code.ts';
import { countRegistration, deriveOtpAttemptLimitKey, hashRegistrationNetwork } from './otp-limits.ts';
import type { UserProfileInput } from './profile.rules.ts';
import type { ProfilePicture } from './profile-picture.ts';
import { insertRegistration, listRegistrationPasswords } from './registration.repository.ts';
import { encryptRegistrationPicture } from './registration-picture.ts';
import { ensureUserByEmail } from './user.repository.ts';

export interface RegistrationInput {
  email: string;
  passwordHash: string;
  profile: UserProfileInput;
  picture: ProfilePicture | null;
  /** False when the mail quota is used up: the registration is stored, and its code is resent later. */
  isMailAllowed: boolean;
}

/** The response is the same for an address that has an account; only the mail differs. */
export async function registerUser(
  services: AccountServices,
  context: RequestContext,
  tx: Tx,
  input: RegistrationInput,
): Promise<void> {
  const { fieldCipher, mailOutbox, applicationUrl } = services;
  const user = await ensureUserByEmail(tx, input.email);
  // Same lock order as resendOtp, against deadlocks.
  await countRegistration(services, tx, input.email, context.address);
  await resetAttempts(tx, [deriveOtpAttemptLimitKey(services, input.email, context.address)]);
  const id = generateId();
  const otp = generateRandomDigits(6);
  const hasProfile = Object.keys(input.profile).length > 0;
  const isNew = await insertRegistration(tx, {
    id,
    userId: user.id,
    passwordHash: input.passwordHash,
    otpHash: hashOtp(services, id, otp),
    expiresAt: getOtpExpiry(),
    profile: hasProfile ? PENDING_PROFILE.encrypt(fieldCipher, { id, userId: user.id }, input.profile) : null,
    picture: input.picture && encryptRegistrationPicture(fieldCipher, { id, userId: user.id }, input.picture),
    networkHash: hashRegistrationNetwork(services, input.email, context.address),
  });
  const to = input.email;
  const isDiscarded = !input.isMailAllowed;
  const passwords = await listRegistrationPasswords(tx, user.id);
  if (isNew)
    await mailOutbox.enqueue(tx, {
      ...createOtpMail(otp, { hasSeveralPasswords: passwords.length > 1, registeredAt: new Date() }),
      to,
      language: chooseLocale(undefined, context.acceptLanguage).tag,
      timeZone: input.profile.timeZone ?? guessTimeZone(context.acceptLanguage),
      isDiscarded,
    });
  else {
    const values = { link: applicationUrl === null ? null : `${applicationUrl}/sign-in` };
    await mailOutbox.enqueue(tx, { template: 'ALREADY_REGISTERED', to, values, isDiscarded });
  }
  const action = isNew ? 'USER_REGISTERED' : 'USER_REGISTRATION_REPEATED';
  await recordAuditEntry(tx, context, { action, resourceId: user.id });
}

/** One salt per address: registrations with the same password are recognized by their hash. */
export function deriveRegistrationPasswordSalt({ fieldCipher }: AccountServices, email: string): Uint8Array {
  return fieldCipher.hash('registration-salt', email).subarray(0, 16);
}

export const PENDING_PROFILE = defineColumnCipher(
  identityCatalogue,
  'pending_registrations.profile',
).of<UserProfileInput>();
