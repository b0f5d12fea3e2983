import { getActingAccount } from '../../platform/acting-account.ts';
import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Database, Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../shared/durations.ts';
import { requireValidEmail } from '../../shared/email.ts';
import { createValidationError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import {
  type CaretakerRow,
  findCaretakerByEmailHash,
  insertCaretaker,
  linkCaretakersToUser,
  listCaretakers,
} from './caretaker.repository.ts';
import { CARETAKER_EMAIL, hashCaretakerEmail } from './caretaker-email.ts';
import { lockOwnMemoryTag } from './memory-tag-access.ts';

/** Per memory tag. */
const MAX_CARETAKERS = 10;

/** Per owner. */
const HOURLY_LIMIT = { allowed: 30, windowSeconds: HOUR_SECONDS };

/** New caretakers per owner; each may be notified. */
const DAILY_LIMIT = { allowed: 100, windowSeconds: DAY_SECONDS };

export interface CaretakerServices {
  fieldCipher: FieldCipher;
  events: DomainEventBus;
}

/**
 * Add the address of a caretaker and notify its user once. A repeat changes nothing. The result does not reveal whether the
 * address has an account.
 * @throws NOT_FOUND, FORBIDDEN for a caretaker, VALIDATION_FAILED, RATE_LIMITED
 */
export async function addCaretaker(
  { fieldCipher, events }: CaretakerServices,
  context: RequestContext,
  tx: Tx,
  user: CurrentUser,
  { memoryTagId, email: inputEmail }: { memoryTagId: string; email: string },
): Promise<CaretakerRow> {
  const email = requireValidEmail(inputEmail);
  const { id: accountId } = getActingAccount(user);
  const tag = await lockOwnMemoryTag(tx, accountId, memoryTagId);
  if (email === user.email) throw createEmailError('NOT_ALLOWED', 'Must not be your own address.');
  await consumeAttempts(tx, [{ key: `caretakers:${accountId}`, ...HOURLY_LIMIT }]);
  const emailHash = hashCaretakerEmail(fieldCipher, email);
  const existing = await findCaretakerByEmailHash(tx, tag, emailHash);
  if (!existing && (await listCaretakers(tx, tag)).length >= MAX_CARETAKERS)
    throw createEmailError('TOO_MANY', `A memory tag can have up to ${MAX_CARETAKERS} caretakers.`);
  const id = generateId();
  const encryptedEmail = CARETAKER_EMAIL.encrypt(fieldCipher, { id, accountId: tag.accountId }, email);
  const row = existing ?? (await insertCaretaker(tx, tag, { id, email: encryptedEmail, emailHash }));
  await linkCaretakersToUser(tx, email, emailHash);
  if (existing) return row;
  await consumeAttempts(tx, [{ key: `caretaker-mails:${accountId}`, ...DAILY_LIMIT }]);
  await recordAuditEntry(tx, context, { resourceId: tag.id });
  await events.publish(tx, 'caretaker.added', { caretakerId: id, memoryTagId: tag.id, email });
  return row;
}

function createEmailError(code: string, message: string) {
  return createValidationError({ field: 'email', code, message });
}

/** Add a caretaker in a transaction of its own. @throws as `addCaretaker` */
export function addOwnCaretaker(
  services: CaretakerServices & { database: Database },
  context: RequestContext,
  user: CurrentUser,
  caretaker: { memoryTagId: string; email: string },
): Promise<CaretakerRow> {
  return services.database.transaction((tx) => addCaretaker(services, context, tx, user, caretaker));
}
