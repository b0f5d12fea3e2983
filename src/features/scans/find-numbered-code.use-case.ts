import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { findQrCodeIdByShortNumber, parseShortNumber } from '../codes/index.ts';
import { consumePinAttempts, refundPinAttempts, reservePinAttempts } from './pin-attempts.repository.ts';
import { createShortNumberLimits } from './pin-limits.ts';

export interface NumberedCodeServices {
  database: Database;
  fieldCipher: FieldCipher;
}

/**
 * Find the code with a number that somebody typed, whatever its status. A number that nobody has costs an attempt of the
 * network; one whose check symbol is wrong does not, since it reveals nothing.
 * @throws VALIDATION_FAILED for the field `number`; NOT_FOUND; RATE_LIMITED
 */
export async function findQrCodeIdByTypedNumber(
  { database, fieldCipher }: NumberedCodeServices,
  text: string,
  address: string,
): Promise<string> {
  const number = parseShortNumber(text);
  if (number === null) throw createValidationError(WRONG_NUMBER);
  const limits = createShortNumberLimits(fieldCipher, address);
  const refusal = await reservePinAttempts(database, limits);
  if (refusal) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: refusal.waitSeconds });
  const id = await findQrCodeIdByShortNumber(database.client, number);
  if (id !== null) {
    await refundPinAttempts(database.client, limits);
    return id;
  }
  await database.transaction((tx) => consumePinAttempts(tx, limits));
  throw new ServiceError('NOT_FOUND', { detail: 'No code has this number.' });
}

const WRONG_NUMBER = {
  field: 'number',
  code: 'BAD_FORMAT',
  message: 'Must be twelve letters and digits, the last of which is their check symbol.',
};
