import { resetBudgets } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { randomDigits } from '../../shared/ids.ts';
import type { AccountServices } from './account-services.ts';
import { codeBudgetKey, OTP_MINUTES, otpExpiry, otpHash } from './one-time-code.ts';
import { findRegistrationsToRenew, replaceOtps } from './registration.repository.ts';
import { lockUserByEmail } from './user.repository.ts';

/**
 * Mails new codes for the registrations of an address, in one mail: who asks gives no password, so that it is not
 * known which of them is theirs, and a later one of a stranger must not keep the first person from their code.
 * Where none waits the same work is done and nothing is mailed. Answers whether there is a mail.
 */
export async function resendCode(
  services: AccountServices,
  caller: Caller,
  tx: Tx,
  email: string,
): Promise<boolean> {
  // The budget before the person, as confirmEmail locks them: the other way round the two could wait for each other.
  await resetBudgets(tx, [codeBudgetKey(services, email)]);
  const user = await lockUserByEmail(tx, email);
  const waits = user?.status === 'PENDING_VERIFICATION';
  const renewed = (await findRegistrationsToRenew(tx, waits ? user.id : '')).map(({ id, createdAt }) => ({
    id,
    otp: randomDigits(6),
    registeredAt: createdAt,
  }));
  const otps = renewed.map(({ id, otp }) => ({ id, otpHash: otpHash(services, id, otp) }));
  await replaceOtps(tx, otps, otpExpiry());
  const language = chooseLocale(undefined, caller.acceptLanguage).tag;
  await mailCodes(services, tx, { to: email, language }, renewed);
  await recordAction(
    tx,
    caller,
    user && renewed.length > 0 ? { resourceId: user.id } : { outcome: 'DENIED' },
  );
  return renewed.length > 0;
}

async function mailCodes(
  { postOffice }: AccountServices,
  tx: Tx,
  recipient: { to: string; language: string },
  codes: readonly { otp: string; registeredAt: Date }[],
): Promise<void> {
  const [newest, ...others] = codes;
  if (newest && others.length > 0) {
    await postOffice.post(tx, {
      ...recipient,
      template: 'OTP_CHOICE',
      values: { codes, minutes: OTP_MINUTES },
    });
    return;
  }
  const { otp, registeredAt } = newest ?? { otp: randomDigits(6), registeredAt: new Date() };
  const values = { otp, minutes: OTP_MINUTES, registeredAt };
  await postOffice.post(tx, { ...recipient, template: 'OTP', values, discarded: !newest });
}
