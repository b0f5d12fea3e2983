import { consumeAttempts, tryConsumeAttempt } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { EventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { createConversationStartBudget } from '../conversations/index.ts';
import { computeFinderHash, isFinderBlocked } from '../scans/index.ts';
import { insertGuestBookEntry, isPendingLimitReached } from './guest-book.repository.ts';
import { encryptGuestBookEntry, type GuestBookEntryContent } from './guest-book-content.ts';
import { findMemoryTagOfCode, lockMemoryTagForKeyShare } from './memory-tag.repository.ts';

const HOUR_SECONDS = 60 * 60;

/** Entries of all visitors to one guest book in an hour, and of these what its owner is told of one by one. */
const MAX_ENTRIES_PER_HOUR = 60;
const MAX_NOTIFICATIONS_PER_HOUR = 5;

/** Entries that may wait for a decision: a book that nobody looks after does not grow for ever. */
const MAX_PENDING_ENTRIES = 500;

/** What signing a guest book works with. */
export interface GuestBookServices {
  fieldCipher: FieldCipher;
  events: EventBus;
}

/**
 * Stores what a visitor writes in the guest book of the memory tag that the page of a code shows. Throws NOT_CONTACTABLE
 * where there is none, it takes no entries, or none from this visitor, whom its owner blocked; RATE_LIMITED beyond five an
 * hour of an address, together with the conversations that it begins about the code, or sixty of all.
 */
export async function signGuestBook(
  { fieldCipher, events }: GuestBookServices,
  context: RequestContext,
  tx: Tx,
  code: { id: string; ownerId: string },
  content: GuestBookEntryContent,
): Promise<string> {
  const { id: qrCodeId, ownerId } = code;
  const tag = await findMemoryTagOfCode(tx, code);
  if (!tag?.guestBookOpen || !(await lockMemoryTagForKeyShare(tx, tag.id)))
    throw new ServiceError('NOT_CONTACTABLE');
  if (await isFinderBlocked(tx, ownerId, computeFinderHash(fieldCipher, context, ownerId)))
    throw new ServiceError('NOT_CONTACTABLE');
  await consumeAttempts(tx, [
    createConversationStartBudget(fieldCipher, context, qrCodeId),
    { key: `guest-book:${tag.id}`, allowed: MAX_ENTRIES_PER_HOUR, windowSeconds: HOUR_SECONDS },
  ]);
  if (await isPendingLimitReached(tx, tag.id, MAX_PENDING_ENTRIES)) throw new ServiceError('NOT_CONTACTABLE');
  const createdAt = new Date();
  const id = generateId(createdAt);
  const encryptedContent = encryptGuestBookEntry(fieldCipher, { id, ownerId }, content);
  await insertGuestBookEntry(tx, { id, memoryTagId: tag.id, ownerId, content: encryptedContent, createdAt });
  await recordAuditEntry(tx, context, { action: 'GUEST_BOOK_SIGNED', resourceId: tag.id });
  const notificationBudget = {
    key: `guest-book-news:${tag.id}`,
    allowed: MAX_NOTIFICATIONS_PER_HOUR,
    windowSeconds: HOUR_SECONDS,
  };
  if (await tryConsumeAttempt(tx, notificationBudget))
    await events.publish(tx, 'guest-book.signed', {
      ownerId,
      memoryTagId: tag.id,
      qrCodeId,
      entryId: id,
      remembered: tag.name,
    });
  return id;
}
