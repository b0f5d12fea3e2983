import { recordAuditEntry } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/authentication.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import {
  consumeLoginAttempt,
  deriveSessionLoginThrottleKeys,
  findUser,
  requireRecentLogin,
  resetLoginFailures,
} from '../identity/index.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

const MISSING_PASSWORD_ERROR: FieldError = {
  field: 'password',
  code: 'REQUIRED',
  message: 'The current password is required.',
};

type Services = Pick<PersonalDataServices, 'database' | 'fieldCipher' | 'passwords'>;

/**
 * Verify a user's password again, or require a recent login for an account without a password. Wrong
 * passwords count as failed logins.
 * @returns the stored hash that the password matched; null for an account without a password
 * @throws VALIDATION_FAILED if the password is missing, CREDENTIALS_INVALID, RATE_LIMITED, REAUTHENTICATION_REQUIRED, BUSY
 */
export async function reauthenticateUser(
  services: Services,
  context: RequestContext,
  user: CurrentUser,
  password: string | undefined,
): Promise<string | null> {
  const { database, fieldCipher, passwords } = services;
  const stored = (await findUser(database.client, user.id))?.passwordHash ?? null;
  if (stored === null) {
    await requireRecentLogin(database.client, user);
    return null;
  }
  if (password === undefined) throw createValidationError(MISSING_PASSWORD_ERROR);
  const keys = deriveSessionLoginThrottleKeys(fieldCipher, user);
  const isCorrect = await passwords.runQueued(async (slot) => {
    await consumeLoginAttempt(services, keys);
    return slot.verify(password, stored);
  });
  if (!isCorrect) {
    await recordRejection(services, context, user);
    throw new ServiceError('CREDENTIALS_INVALID', { detail: 'The password is wrong.' });
  }
  await database.transaction((tx) => resetLoginFailures(tx, keys));
  return stored;
}

/** Find whether the password of an account that has one is missing. */
export async function findMissingPasswordErrors(
  { database }: Pick<Services, 'database'>,
  userId: string,
  body: object,
): Promise<FieldError[]> {
  if ('password' in body) return [];
  const user = await findUser(database.client, userId);
  return user?.passwordHash ? [MISSING_PASSWORD_ERROR] : [];
}

function recordRejection(
  { database }: Pick<Services, 'database'>,
  context: RequestContext,
  user: CurrentUser,
): Promise<void> {
  return database.transaction((tx) =>
    recordAuditEntry(tx, context, {
      action: 'IDENTITY_PROOF_REJECTED',
      outcome: 'DENIED',
      resourceId: user.id,
    }),
  );
}
