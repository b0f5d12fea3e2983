import { consumeAttempts, tryConsumeAttempt } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { isFinderBlocked } from '../conversations/blocked-finder.repository.ts';
import { computeFinderHash } from '../conversations/finder-hash.ts';
import { createConversationStartBudget } from '../conversations/start-conversation.ts';
import { insertEntry, isFull } from './guest-book.repository.ts';
import { type EntryContent, sealEntry } from './guest-book-content.ts';
import { findTagOfCode, keepMemoryTag } from './memory-tag.repository.ts';

const HOUR = 60 * 60;

/** Entries of all visitors to one guest book in an hour, and of these what its owner is told of one by one. */
const OF_TAG = 60;
const TOLD = 5;

/** Entries that may wait for a decision: a book that nobody looks after does not grow for ever. */
const MOST_WAITING = 500;

/** What an owner is told of an entry: no word of it. */
export interface EntryNews {
  ownerId: string;
  memoryTagId: string;
  qrCodeId: string;
  entryId: string;
  /** Who is remembered. */
  remembered: string;
}

/** What signing a guest book works with. */
export interface GuestBookServices {
  fieldCipher: FieldCipher;
  /** Tells an owner, in the transaction that stores the entry. */
  notifyEntry(tx: Tx, news: EntryNews): Promise<void>;
}

/**
 * Stores what a visitor writes in the guest book of the memory tag that the page of a code shows. Throws NOT_CONTACTABLE
 * where there is none, it takes no entries, or none from this visitor, whom its owner blocked; RATE_LIMITED beyond five an
 * hour of an address, together with the conversations that it begins about the code, or sixty of all.
 */
export async function signGuestBook(
  { fieldCipher, notifyEntry }: GuestBookServices,
  context: RequestContext,
  tx: Tx,
  code: { id: string; ownerId: string },
  content: EntryContent,
): Promise<string> {
  const { id: qrCodeId, ownerId } = code;
  const tag = await findTagOfCode(tx, code);
  if (!tag?.guestBookOpen || !(await keepMemoryTag(tx, tag.id))) throw new ServiceError('NOT_CONTACTABLE');
  if (await isFinderBlocked(tx, ownerId, computeFinderHash(fieldCipher, context, ownerId)))
    throw new ServiceError('NOT_CONTACTABLE');
  await consumeAttempts(tx, [
    createConversationStartBudget(fieldCipher, context, qrCodeId),
    { key: `guest-book:${tag.id}`, allowed: OF_TAG, windowSeconds: HOUR },
  ]);
  if (await isFull(tx, tag.id, MOST_WAITING)) throw new ServiceError('NOT_CONTACTABLE');
  const createdAt = new Date();
  const id = generateId(createdAt);
  const sealed = sealEntry(fieldCipher, { id, ownerId }, content);
  await insertEntry(tx, { id, memoryTagId: tag.id, ownerId, content: sealed, createdAt });
  await recordAuditEntry(tx, context, { action: 'GUEST_BOOK_SIGNED', resourceId: tag.id });
  const telling = { key: `guest-book-news:${tag.id}`, allowed: TOLD, windowSeconds: HOUR };
  if (await tryConsumeAttempt(tx, telling))
    await notifyEntry(tx, { ownerId, memoryTagId: tag.id, qrCodeId, entryId: id, remembered: tag.name });
  return id;
}
