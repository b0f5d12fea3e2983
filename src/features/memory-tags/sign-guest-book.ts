import { consumeAttempts, tryConsumeAttempt } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { scaleByAddress, truncateIpAddress } from '../../shared/client-address.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { createConversationStartLimit } from '../conversations/index.ts';
import { computeFinderHash, isFinderBlocked } from '../scans/index.ts';
import { deleteSurplusPendingEntries, insertGuestBookEntry } from './guest-book.repository.ts';
import { MAX_PENDING_ENTRIES } from './guest-book.schemas.ts';
import { GUEST_BOOK_ENTRY, type GuestBookEntryContent } from './guest-book-content.ts';
import { findMemoryTagOfCode, lockMemoryTagForKeyShare } from './memory-tag.repository.ts';

/** For a guest book. */
const MAX_ENTRIES_PER_NETWORK_AND_DAY = 20;
const MAX_NOTIFICATIONS_PER_HOUR = 5;

export interface GuestBookServices {
  fieldCipher: FieldCipher;
  events: DomainEventBus;
}

/**
 * Add an entry to the guest book of the memory tag that the page of a code shows. The limit of five an hour per address
 * includes conversations about the code.
 * @throws NOT_CONTACTABLE, RATE_LIMITED
 */
export async function signGuestBook(
  { fieldCipher, events }: GuestBookServices,
  context: RequestContext,
  tx: Tx,
  code: { id: string; accountId: string },
  content: GuestBookEntryContent,
): Promise<string> {
  const { id: qrCodeId, accountId } = code;
  const tag = await findMemoryTagOfCode(tx, code);
  if (!tag?.guestBookOpen || !(await lockMemoryTagForKeyShare(tx, tag)))
    throw new ServiceError('NOT_CONTACTABLE');
  if (await isFinderBlocked(tx, accountId, computeFinderHash(fieldCipher, context, accountId)))
    throw new ServiceError('NOT_CONTACTABLE');
  // IPv4 /24 or IPv6 /48: one customer can have 65,536 /64 networks.
  const networkHash = fieldCipher.hash('guest-book-network', tag.id, truncateIpAddress(context.address));
  await consumeAttempts(tx, [
    createConversationStartLimit(fieldCipher, context, qrCodeId),
    {
      key: `guest-book:${tag.id}:${networkHash.toString('base64url')}`,
      allowed: scaleByAddress(context.address, MAX_ENTRIES_PER_NETWORK_AND_DAY),
      windowSeconds: 24 * HOUR_SECONDS,
    },
  ]);
  const createdAt = new Date();
  const id = generateId(createdAt);
  const encryptedContent = GUEST_BOOK_ENTRY.encrypt(fieldCipher, { id, accountId }, content);
  await insertGuestBookEntry(tx, {
    id,
    memoryTagId: tag.id,
    accountId,
    content: encryptedContent,
    networkHash,
    createdAt,
  });
  await deleteSurplusPendingEntries(tx, tag.id, MAX_PENDING_ENTRIES);
  await recordAuditEntry(tx, context, { action: 'GUEST_BOOK_SIGNED', resourceId: tag.id });
  const notificationBudget = {
    key: `guest-book-news:${tag.id}`,
    allowed: MAX_NOTIFICATIONS_PER_HOUR,
    windowSeconds: HOUR_SECONDS,
  };
  if (await tryConsumeAttempt(tx, notificationBudget))
    await events.publish(tx, 'guest_book.signed', {
      accountId,
      memoryTagId: tag.id,
      qrCodeId,
      entryId: id,
      remembered: tag.name,
    });
  return id;
}
