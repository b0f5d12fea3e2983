import { reserveTries, returnTries } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../../shared/errors.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { newId } from '../../shared/ids.ts';
import type { AccountServices } from './account-services.ts';
import { codeBudgetKey, otpHash } from './one-time-code.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import type { Profile } from './profile.rules.ts';
import { removeProfilePicture, storeProfilePicture } from './profile-picture-files.ts';
import { profileChange } from './profile-row.ts';
import { pendingProfilePlace } from './register.ts';
import { deleteRegistrations, readRegistration, TRIES, takeTries } from './registration.repository.ts';
import { confirmUser, lockUserByEmail, type UserRow } from './user.repository.ts';

export interface Confirmed {
  user: UserRow;
  session: OpenedSession;
}

type Pending = Awaited<ReturnType<typeof readRegistration>>;

/** What is compared where nobody waits: no code has this hash. */
const NOBODYS = { id: '0'.repeat(24), otpHash: Buffer.alloc(32) };

/**
 * Confirms an address by its code: the password of the registration the code belongs to becomes the
 * account's, the others are forgotten, and a session is opened. Wrong, expired, used and unknown are the
 * same OTP_INVALID; five tries a code, ten an hour and fifty a day an address, then RATE_LIMITED.
 */
export async function confirmEmail(
  services: AccountServices,
  caller: Caller,
  input: { email: string; otp: string },
): Promise<Confirmed> {
  let storedPicture: string | undefined;
  try {
    const confirmed = await services.database.transaction(async (tx) => {
      // Reserved in the transaction that compares: a fault of the service burns no try, and parallel
      // calls for one address come one after another.
      const budgets = budgetsOf(services, input.email);
      await reserveTries(tx, budgets);
      const user = await lockUserByEmail(tx, input.email);
      // Asked for nobody as well, so that the time does not tell who waits.
      const waiting = user?.status === 'PENDING_VERIFICATION' ? user.id : '';
      const open = await takeTries(tx, waiting, codeBudgetKey(services, input.email));
      const compared = open.length > 0 ? open : [NOBODYS];
      const right = compared.find(({ id, otpHash: stored }) =>
        sameBytes(stored, otpHash(services, id, input.otp)),
      );
      if (!user || !right) {
        // An id that nobody has is looked for as one is that somebody has.
        const resourceId = user?.id ?? newId();
        await recordAction(tx, caller, { action: 'OTP_REJECTED', outcome: 'DENIED', resourceId });
        return null;
      }
      const match = await readRegistration(tx, right.id);
      storedPicture = await storePicture(services, match);
      await returnTries(
        tx,
        budgets.map((budget) => budget.key),
      );
      return activate(services, caller, tx, user.id, match, storedPicture);
    });
    if (!confirmed) throw new ServiceError('OTP_INVALID');
    return confirmed;
  } catch (error) {
    if (storedPicture) await removeProfilePicture(services.publicFiles, storedPicture);
    throw error;
  }
}

async function activate(
  services: AccountServices,
  caller: Caller,
  tx: Tx,
  userId: string,
  match: Pending,
  profilePicture: string | undefined,
): Promise<Confirmed> {
  const profile = match.profile
    ? services.vault.open<Profile>(pendingProfilePlace(match.id, userId), match.profile)
    : {};
  const user = await confirmUser(tx, userId, {
    // Until the profile says another: who registered the address first may have been somebody else.
    language: chooseLocale(undefined, caller.acceptLanguage).tag,
    ...profileChange(services.vault, userId, profile),
    profilePicture,
    passwordHash: match.passwordHash,
  });
  await deleteRegistrations(tx, userId);
  const session = await openSession(services, caller, tx, user);
  await recordAction(tx, caller, { resourceId: userId, actorId: userId, wholeAddress: true });
  return { user, session };
}

async function storePicture(services: AccountServices, match: Pending): Promise<string | undefined> {
  if (!match.picture || !match.pictureExtension) return undefined;
  return storeProfilePicture(services.publicFiles, {
    bytes: Buffer.from(match.picture),
    extension: match.pictureExtension === 'png' ? 'png' : 'jpg',
  });
}

function budgetsOf(services: AccountServices, email: string) {
  const hash = services.vault.hash('otp-budget', email).toString('hex');
  return [
    { key: codeBudgetKey(services, email), allowed: TRIES, windowSeconds: 10 * 60 },
    { key: `otp-hour:${hash}`, allowed: 10, windowSeconds: 60 * 60 },
    { key: `otp-day:${hash}`, allowed: 50, windowSeconds: 24 * 60 * 60 },
  ];
}
