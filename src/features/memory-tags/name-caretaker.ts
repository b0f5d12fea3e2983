import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { requireValidEmail } from '../accounts/email.rules.ts';
import {
  type CaretakerRow,
  findByAddress,
  insertCaretaker,
  linkCaretakers,
  listCaretakers,
} from './caretaker.repository.ts';
import { caretakerHash, sealCaretakerEmail } from './caretaker-address.ts';
import { holdOwnTag } from './may-tend.ts';

/** Addresses that can be named for one memory tag. */
const MOST = 10;

/** Addresses that an owner can name in an hour. */
const AN_HOUR = { allowed: 30, windowSeconds: 60 * 60 };

/** Times a day that somebody can name somebody anew: each may be told of it. */
const A_DAY = { allowed: 100, windowSeconds: 24 * 60 * 60 };

/** That an address was named: for whoever has it, where anybody does. */
export interface CaretakerNews {
  caretakerId: string;
  memoryTagId: string;
  email: string;
}

/** What naming caretakers works with. */
export interface CaretakerServices {
  fieldCipher: FieldCipher;
  /** Tells whoever has an address, at the same cost where nobody has it. */
  notifyCaretaker(tx: Tx, news: CaretakerNews): Promise<void>;
}

/**
 * Lets whoever has an address help with a memory tag; they are told once, and the same again changes nothing. What is
 * answered and how does not depend on whether somebody has it. Throws NOT_FOUND, FORBIDDEN for a caretaker,
 * VALIDATION_FAILED and RATE_LIMITED.
 */
export async function nameCaretaker(
  { fieldCipher, notifyCaretaker }: CaretakerServices,
  context: RequestContext,
  tx: Tx,
  user: CurrentUser,
  { memoryTagId, email: given }: { memoryTagId: string; email: string },
): Promise<CaretakerRow> {
  const email = requireValidEmail(given);
  const tag = await holdOwnTag(tx, user.id, memoryTagId);
  if (email === user.email) throw refused('NOT_ALLOWED', 'Must be of somebody else.');
  await consumeAttempts(tx, [{ key: `caretakers:${user.id}`, ...AN_HOUR }]);
  const emailHash = caretakerHash(fieldCipher, email);
  const named = await findByAddress(tx, tag.id, emailHash);
  if (!named && (await listCaretakers(tx, tag.id)).length >= MOST)
    throw refused('TOO_MANY', `A memory tag has ${MOST} caretakers at most.`);
  const id = generateId();
  const sealed = sealCaretakerEmail(fieldCipher, { id, ownerId: tag.ownerId }, email);
  const row = named ?? (await insertCaretaker(tx, tag, { id, email: sealed, emailHash }));
  await linkCaretakers(tx, email, emailHash);
  if (named) return row;
  await consumeAttempts(tx, [{ key: `caretakers-told:${user.id}`, ...A_DAY }]);
  await recordAuditEntry(tx, context, { resourceId: tag.id });
  await notifyCaretaker(tx, { caretakerId: id, memoryTagId: tag.id, email });
  return row;
}

function refused(code: string, message: string) {
  return createValidationError({ field: 'email', code, message });
}
