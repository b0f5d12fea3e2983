import { reserveTries } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { invalidFields } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { emailOf } from '../accounts/email.rules.ts';
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
  vault: Vault;
  /** Tells whoever has an address, at the same cost where nobody has it. */
  notifyCaretaker(tx: Tx, news: CaretakerNews): Promise<void>;
}

/**
 * Lets whoever has an address help with a memory tag; they are told once, and the same again changes nothing. What is
 * answered and how does not depend on whether somebody has it. Throws NOT_FOUND, FORBIDDEN for a caretaker,
 * VALIDATION_FAILED and RATE_LIMITED.
 */
export async function nameCaretaker(
  { vault, notifyCaretaker }: CaretakerServices,
  caller: Caller,
  tx: Tx,
  user: CurrentUser,
  { memoryTagId, email: given }: { memoryTagId: string; email: string },
): Promise<CaretakerRow> {
  const email = emailOf(given);
  const tag = await holdOwnTag(tx, user.id, memoryTagId);
  if (email === user.email) throw refused('NOT_ALLOWED', 'Must be of somebody else.');
  await reserveTries(tx, [{ key: `caretakers:${user.id}`, ...AN_HOUR }]);
  const emailHash = caretakerHash(vault, email);
  const named = await findByAddress(tx, tag.id, emailHash);
  if (!named && (await listCaretakers(tx, tag.id)).length >= MOST)
    throw refused('TOO_MANY', `A memory tag has ${MOST} caretakers at most.`);
  const id = newId();
  const sealed = sealCaretakerEmail(vault, { id, ownerId: tag.ownerId }, email);
  const row = named ?? (await insertCaretaker(tx, tag, { id, email: sealed, emailHash }));
  await linkCaretakers(tx, email, emailHash);
  if (named) return row;
  await reserveTries(tx, [{ key: `caretakers-told:${user.id}`, ...A_DAY }]);
  await recordAction(tx, caller, { resourceId: tag.id });
  await notifyCaretaker(tx, { caretakerId: id, memoryTagId: tag.id, email });
  return row;
}

function refused(code: string, message: string) {
  return invalidFields({ field: 'email', code, message });
}
