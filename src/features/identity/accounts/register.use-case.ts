import { createHash } from 'node:crypto';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { requireValidEmail } from '../../../shared/email.ts';
import type { AccountServices } from './account-services.ts';
import { consumeIpAddressMailQuota, tryConsumeEmailAddressMailQuota } from './mail-quota.ts';
import { getOtpExpiry, OTP_RESEND_DELAY_SECONDS } from './one-time-code.ts';
import type { UserProfileInput } from './profile.rules.ts';
import { deriveRegistrationPasswordSalt, registerUser } from './register-user.ts';
import { createRegistrationPicture, tryConsumeRegistrationPictureBytes } from './registration-picture.ts';

interface RegistrationSource {
  upload?: Buffer | undefined;
  /** Aborts when the client disconnects. */
  disconnect?: AbortSignal | undefined;
  /** The request named fields that only the service sets. */
  wantsPrivileges?: boolean;
}

export interface PendingVerification {
  email: string;
  status: 'PENDING_VERIFICATION';
  otpExpiresAt: string;
  resendAfterSeconds: number;
  warnings?: 'PICTURE_NOT_STORED'[];
}

/**
 * Register an address and mail it a code. The result is the same for an address that has an account.
 * @throws VALIDATION_FAILED for no address, RATE_LIMITED, BUSY, IDEMPOTENCY_KEY_REUSED
 */
export async function register(
  services: AccountServices,
  context: RequestContext,
  input: { email: string; password: string } & UserProfileInput,
  { upload, disconnect, wantsPrivileges = false }: RegistrationSource = {},
): Promise<IdempotentResult<PendingVerification>> {
  const { email: address, password, ...profile } = input;
  const email = requireValidEmail(address);
  const passwordHash = await services.passwords.runQueued(async (slot) => {
    await consumeIpAddressMailQuota(services, context);
    return slot.hash(password, deriveRegistrationPasswordSalt(services, email));
  });
  const who = services.fieldCipher.hash('visitor', truncateIpAddress(context.address)).toString('hex');
  const fingerprint = { ...input, picture: upload && hashPicture(upload) };
  const picture = upload && (await createRegistrationPicture(upload, { accountId: who, disconnect }));
  const result = await services.createIdempotently(context, { who, fingerprint }, async (tx) => {
    const isMailAllowed = await tryConsumeEmailAddressMailQuota(services, tx, context, email);
    const isPictureKept =
      picture &&
      (await tryConsumeRegistrationPictureBytes(services, tx, context.address, picture.bytes.length));
    await registerUser(services, context, tx, {
      email,
      passwordHash,
      profile,
      picture: isPictureKept ? picture : null,
      isMailAllowed,
    });
    if (wantsPrivileges)
      await recordAuditEntry(tx, context, { action: 'USER_PRIVILEGE_REQUESTED', outcome: 'DENIED' });
    const body = {
      email,
      status: 'PENDING_VERIFICATION' as const,
      otpExpiresAt: getOtpExpiry().toISOString(),
      resendAfterSeconds: OTP_RESEND_DELAY_SECONDS,
      ...(upload && !isPictureKept && { warnings: ['PICTURE_NOT_STORED' as const] }),
    };
    return { body, location: '/api/auth/me' };
  });
  services.mailOutbox.wake();
  return result;
}

function hashPicture(upload: Buffer): string {
  return createHash('sha256').update(upload).digest('base64');
}
