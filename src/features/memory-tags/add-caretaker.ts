import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Tx } from '../../platform/database.ts';
import type { EventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { requireValidEmail } from '../../shared/email.ts';
import { createValidationError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import {
  type CaretakerRow,
  findCaretakerByEmailHash,
  insertCaretaker,
  linkCaretakers,
  listCaretakers,
} from './caretaker.repository.ts';
import { encryptCaretakerEmail, hashCaretakerEmail } from './caretaker-email.ts';
import { lockOwnTag } from './memory-tag-access.ts';

/** Addresses that can be named for one memory tag. */
const MAX_CARETAKERS = 10;

/** Addresses that an owner can name in an hour. */
const HOURLY_LIMIT = { allowed: 30, windowSeconds: 60 * 60 };

/** Times a day that somebody can name somebody anew: each may be told of it. */
const DAILY_LIMIT = { allowed: 100, windowSeconds: 24 * 60 * 60 };

/** What naming caretakers works with. */
export interface CaretakerServices {
  fieldCipher: FieldCipher;
  events: EventBus;
}

/**
 * Lets whoever has an address help with a memory tag; they are told once, and the same again changes nothing. What is
 * answered and how does not depend on whether somebody has it. Throws NOT_FOUND, FORBIDDEN for a caretaker,
 * VALIDATION_FAILED and RATE_LIMITED.
 */
export async function addCaretaker(
  { fieldCipher, events }: CaretakerServices,
  context: RequestContext,
  tx: Tx,
  user: CurrentUser,
  { memoryTagId, email: inputEmail }: { memoryTagId: string; email: string },
): Promise<CaretakerRow> {
  const email = requireValidEmail(inputEmail);
  const tag = await lockOwnTag(tx, user.id, memoryTagId);
  if (email === user.email) throw createEmailError('NOT_ALLOWED', 'Must be of somebody else.');
  await consumeAttempts(tx, [{ key: `caretakers:${user.id}`, ...HOURLY_LIMIT }]);
  const emailHash = hashCaretakerEmail(fieldCipher, email);
  const existing = await findCaretakerByEmailHash(tx, tag.id, emailHash);
  if (!existing && (await listCaretakers(tx, tag.id)).length >= MAX_CARETAKERS)
    throw createEmailError('TOO_MANY', `A memory tag has ${MAX_CARETAKERS} caretakers at most.`);
  const id = generateId();
  const encryptedEmail = encryptCaretakerEmail(fieldCipher, { id, ownerId: tag.ownerId }, email);
  const row = existing ?? (await insertCaretaker(tx, tag, { id, email: encryptedEmail, emailHash }));
  await linkCaretakers(tx, email, emailHash);
  if (existing) return row;
  await consumeAttempts(tx, [{ key: `caretakers-told:${user.id}`, ...DAILY_LIMIT }]);
  await recordAuditEntry(tx, context, { resourceId: tag.id });
  await events.publish(tx, 'caretaker.named', { caretakerId: id, memoryTagId: tag.id, email });
  return row;
}

function createEmailError(code: string, message: string) {
  return createValidationError({ field: 'email', code, message });
}
