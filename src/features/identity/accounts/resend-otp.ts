import { resetAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { requireValidEmail } from '../../../shared/email.ts';
import { chooseLocale } from '../../../shared/i18n/choose-locale.ts';
import { guessTimeZone } from '../../../shared/i18n/guess-time-zone.ts';
import { generateId, generateRandomDigits } from '../../../shared/ids.ts';
import type { AccountServices } from './account-services.ts';
import { consumeIpAddressMailQuota, tryConsumeEmailAddressMailQuota } from './mail-quota.ts';
import { createOtpMail, getOtpExpiry, hashOtp } from './one-time-code.ts';
import { countResend, deriveOtpAttemptLimitKey, hashRegistrationNetwork } from './otp-limits.ts';
import { PENDING_PROFILE } from './register-user.ts';
import {
  copyRegistrations,
  findRegistrationPictures,
  findRegistrationsForNewOtp,
  listRegistrationPasswords,
  replaceRegistrationOtps,
} from './registration.repository.ts';
import {
  decryptRegistrationPicture,
  encryptRegistrationPicture,
  tryConsumeRegistrationPictureBytes,
} from './registration-picture.ts';
import { lockUserByEmail } from './user.repository.ts';

/**
 * Send new codes to the registrations of an address that came from the network of the request, within the quota of mails.
 * @throws VALIDATION_FAILED for no address, RATE_LIMITED
 */
export async function resendOtpToNetwork(
  services: AccountServices,
  context: RequestContext,
  address: string,
): Promise<void> {
  const email = requireValidEmail(address);
  await consumeIpAddressMailQuota(services, context);
  await services.database.transaction(async (tx) => {
    if (await tryConsumeEmailAddressMailQuota(services, tx, context, email))
      await resendOtp(services, context, tx, { email, scope: 'NETWORK' });
  });
  services.mailOutbox.wake();
}

/**
 * Renew the registrations that came from the network of the request, so that others do not void their codes, with one code. A
 * network without one gets copies: the user may be elsewhere now. The statements are the
 * same without registrations. Returns whether a mail was sent.
 */
export async function resendOtp(
  services: AccountServices,
  context: RequestContext,
  tx: Tx,
  { email, scope }: { email: string; scope: 'NETWORK' | 'ALL_NETWORKS' },
): Promise<boolean> {
  const { address } = context;
  // Same lock order as confirmEmail, against deadlocks.
  if (scope === 'NETWORK') await countResend(services, tx, email, address);
  await resetAttempts(tx, [deriveOtpAttemptLimitKey(services, email, address)]);
  const user = await lockUserByEmail(tx, email);
  const userId = user?.status === 'PENDING_VERIFICATION' ? user.id : '';
  const networkHash = hashRegistrationNetwork(services, email, address);
  const registrations = await findRegistrationsForNewOtp(
    tx,
    userId,
    scope === 'NETWORK' ? networkHash : null,
  );
  const passwords = await listRegistrationPasswords(tx, userId);
  const otp = generateRandomDigits(6);
  const renewed = registrations.map((registration) => {
    const id = registration.isFromNetwork ? registration.id : generateId();
    return { registration, id, otpHash: hashOtp(services, id, otp) };
  });
  const foreign = renewed.filter(({ registration }) => !registration.isFromNetwork);
  const pictures = await findRegistrationPictures(
    tx,
    foreign.map(({ registration }) => registration.id),
  );
  const copies: Parameters<typeof copyRegistrations>[2][number][] = [];
  for (const { registration, id, otpHash } of foreign) {
    const picture = pictures.get(registration.id);
    const canCopy =
      picture && (await tryConsumeRegistrationPictureBytes(services, tx, address, picture.length));
    copies.push({
      id,
      from: registration.id,
      otpHash,
      profile: reencryptPendingProfile(services, registration, id, userId),
      picture: canCopy ? reencryptPicture(services, { id: registration.id, userId }, picture, id) : null,
    });
  }
  const expiresAt = getOtpExpiry();
  await replaceRegistrationOtps(
    tx,
    renewed.filter(({ registration }) => registration.isFromNetwork),
    expiresAt,
  );
  await copyRegistrations(tx, networkHash, copies, expiresAt);
  const language = chooseLocale(undefined, context.acceptLanguage).tag;
  const [newest] = registrations;
  await services.mailOutbox.enqueue(tx, {
    ...createOtpMail(otp, {
      hasSeveralPasswords: passwords.length > 1,
      registeredAt: newest?.createdAt ?? new Date(),
    }),
    to: email,
    language,
    timeZone: guessTimeZone(context.acceptLanguage),
    isDiscarded: !newest,
  });
  await recordAuditEntry(
    tx,
    context,
    user && renewed.length > 0 ? { resourceId: user.id } : { outcome: 'DENIED' },
  );
  return renewed.length > 0;
}

function reencryptPicture(
  { fieldCipher }: AccountServices,
  { id, userId }: { id: string; userId: string },
  encrypted: Uint8Array,
  copyId: string,
): Uint8Array {
  const picture = decryptRegistrationPicture(fieldCipher, { id, userId }, encrypted);
  return encryptRegistrationPicture(fieldCipher, { id: copyId, userId }, picture);
}

/** The ciphertext is bound to the id of its row. */
function reencryptPendingProfile(
  { fieldCipher }: AccountServices,
  { id, profile }: { id: string; profile: Uint8Array<ArrayBuffer> | null },
  copyId: string,
  userId: string,
): Uint8Array<ArrayBuffer> | null {
  if (!profile) return null;
  const fields = PENDING_PROFILE.decryptValue(fieldCipher, { id, userId }, profile);
  return PENDING_PROFILE.encrypt(fieldCipher, { id: copyId, userId }, fields);
}
