import { reserveTries } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { truncateAddress } from '../../shared/client-address.ts';
import { ServiceError } from '../../shared/errors.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { newId } from '../../shared/ids.ts';
import { isOpen } from '../scans/scanned-code.ts';
import { isBlocked } from './blocked-finder.repository.ts';
import {
  addFinder,
  type ConversationRow,
  insertConversation,
  lockConversation,
  lockConversationOf,
} from './conversation.repository.ts';
import { type MessageContent, sealFinderEmail, sealFinderName } from './conversation-content.ts';
import type { Origin } from './conversation-origin.ts';
import { finderHashOf } from './finder-hash.ts';
import type { MessageRow } from './message.repository.ts';
import { requirePresetOf } from './presets.rules.ts';
import { appendMessage, expiryFrom, type MessageServices, storeMessage } from './write-message.ts';

/** Conversations and messages that one address begins about one code, an hour. */
const BEGUN_AN_HOUR = 5;
const HOUR = 60 * 60;

/** What a finder begins with. */
export interface Beginning {
  content: MessageContent;
  name: string | null;
  /** Normalised: where the finder hears of an answer. */
  email: string | null;
}

/**
 * Writes to the owner of a code: begins the conversation of the scan or visit, or goes on with it, or with the one that the
 * finder has begun before while that is open (`begunId`); it then knows the name and address that it did not know. In the
 * transaction that answers. Throws VALIDATION_FAILED for a ready sentence that does not fit the code; NOT_CONTACTABLE where
 * the owner takes no messages, or none from this finder; RATE_LIMITED beyond five an hour of an address about a code;
 * CONVERSATION_ENDED.
 */
export async function openConversation(
  services: MessageServices,
  caller: Caller,
  tx: Tx,
  { id: scanId, isScan: fromScan, qrCode }: Origin,
  { content, name, email }: Beginning,
  begunId?: string,
): Promise<MessageRow> {
  const { vault } = services;
  const { ownerId, id: qrCodeId } = qrCode;
  requirePresetOf(content.preset, qrCode.kind, fromScan || isOpen(qrCode));
  const finderHash = finderHashOf(vault, caller, ownerId);
  if (!qrCode.contactable || (await isBlocked(tx, ownerId, finderHash)))
    throw new ServiceError('NOT_CONTACTABLE');
  await reserveTries(tx, [beginningBudget(vault, caller, qrCodeId)]);
  const known = (await lockBegun(tx, qrCode, begunId)) ?? (await lockConversationOf(tx, scanId));
  if (known) {
    const row = await appendMessage(services, caller, tx, known, 'FINDER', content);
    await addFinder(tx, known.id, {
      finderName: sealFinderName(vault, known, name),
      finderEmail: sealFinderEmail(vault, known, email),
    });
    return row;
  }
  const now = new Date();
  const id = newId(now);
  const told = {
    finderEmail: sealFinderEmail(vault, { id, ownerId }, email),
    finderLanguage: chooseLocale(undefined, caller.acceptLanguage).tag,
  };
  const made = await insertConversation(tx, {
    ...{ id, qrCodeId, ownerId, scanId, fromScan, finderHash },
    finderName: sealFinderName(vault, { id, ownerId }, name),
    ...told,
    lastMessageAt: now,
    expiresAt: expiryFrom(now),
  });
  // Another request of the same visit was faster: it goes on with what that one began.
  if (!made) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  const row = await storeMessage(
    services,
    tx,
    { id, ownerId, qrCodeId, qrCode, ...told },
    'FINDER',
    content,
    now,
  );
  await recordAction(tx, caller, { action: 'CONVERSATION_OPENED', resourceId: id });
  return row;
}

/** The conversation that a finder has begun before, locked for this transaction; null where they cannot go on with it. */
async function lockBegun(
  tx: Tx,
  { id: qrCodeId, ownerId }: Origin['qrCode'],
  begunId: string | undefined,
): Promise<ConversationRow | null> {
  const row = begunId === undefined ? null : await lockConversation(tx, begunId);
  return row?.status === 'OPEN' && row.qrCodeId === qrCodeId && row.ownerId === ownerId ? row : null;
}

/** What a visitor of one address may begin about one code: five an hour. */
export function beginningBudget(vault: Vault, { address }: Caller, qrCodeId: string) {
  const key = vault.hash('conversation-budget', truncateAddress(address), qrCodeId).toString('base64url');
  return { key: `conversation:${key}`, allowed: BEGUN_AN_HOUR, windowSeconds: HOUR };
}
