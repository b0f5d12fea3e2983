import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { scaleByAddress, truncateIpAddress } from '../../shared/client-address.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { generateId } from '../../shared/ids.ts';
import { lockQrCodeAccount } from '../codes/index.ts';
import { computeFinderHash, isFinderBlocked, isQrCodeOpen } from '../scans/index.ts';
import {
  addMissingFinderDetails,
  type ConversationRow,
  insertConversation,
  lockConversation,
  lockConversationByScan,
} from './conversation.repository.ts';
import type { ConversationOrigin } from './conversation-origin.ts';
import { FINDER_EMAIL, FINDER_NAME, type MessageContent } from './encrypted-conversation-fields.ts';
import { tryConsumeConfirmationMail } from './finder-email-confirmation.ts';
import type { MessageRow } from './message.repository.ts';
import { assertMessagePresetAllowed } from './presets.rules.ts';
import {
  appendMessageToLockedConversation,
  computeConversationExpiry,
  type MessageWriteServices,
  saveMessageAndNotify,
} from './write-message.ts';

const MAX_STARTED_PER_HOUR = 5;

export interface FirstMessageInput {
  content: MessageContent;
  name: string | null;
  /** Normalized. */
  email: string | null;
}

/**
 * Start a conversation with the owner of a code, or continue that of the scan or `continuedId` if it is open. Details of the
 * finder are added to it.
 * @throws VALIDATION_FAILED, NOT_CONTACTABLE, RATE_LIMITED, CONVERSATION_ENDED
 */
export async function startConversation(
  services: MessageWriteServices,
  context: RequestContext,
  tx: Tx,
  { id: scanId, isScan: fromScan, qrCode }: ConversationOrigin,
  { content, name, email }: FirstMessageInput,
  continuedId?: string,
): Promise<MessageRow> {
  const { fieldCipher } = services;
  const { accountId, id: qrCodeId } = qrCode;
  assertMessagePresetAllowed(content.preset, qrCode.kind, {
    sender: 'FINDER',
    isKindKnown: fromScan || isQrCodeOpen(qrCode),
  });
  const finderHash = computeFinderHash(fieldCipher, context, accountId);
  if (!qrCode.contactable || (await isFinderBlocked(tx, accountId, finderHash)))
    throw new ServiceError('NOT_CONTACTABLE');
  await consumeAttempts(tx, [createConversationStartLimit(fieldCipher, context, qrCodeId)]);
  const existing =
    (await lockContinuableConversation(tx, qrCode, continuedId)) ??
    (await lockConversationByScan(tx, scanId));
  if (existing) {
    // The finder has the token of the conversation and that of the scan, so that both are theirs.
    const author = {
      sender: 'FINDER',
      scanId: fromScan && scanId !== existing.scanId ? scanId : null,
    } as const;
    const row = await appendMessageToLockedConversation(services, context, tx, existing, author, content);
    await addMissingFinderDetails(tx, existing, {
      finderName: FINDER_NAME.encrypt(fieldCipher, existing, name),
      finderEmail: FINDER_EMAIL.encrypt(fieldCipher, existing, email),
    });
    if (existing.finderEmail === null) await requestEmailConfirmation(existing.id, existing.finderLanguage);
    return row;
  }
  // The code may be going to another account.
  if (!(await lockQrCodeAccount(tx, accountId, qrCodeId)))
    throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  const now = new Date();
  const id = generateId(now);
  const finderDetails = {
    finderEmail: FINDER_EMAIL.encrypt(fieldCipher, { id, accountId }, email),
    finderLanguage: chooseLocale(undefined, context.acceptLanguage).tag,
  };
  const isInserted = await insertConversation(tx, {
    id,
    qrCodeId,
    accountId,
    scanId,
    fromScan,
    finderHash,
    finderName: FINDER_NAME.encrypt(fieldCipher, { id, accountId }, name),
    ...finderDetails,
    lastMessageAt: now,
    expiresAt: computeConversationExpiry(now),
  });
  // A concurrent request of the same visit inserted it. The retry continues that conversation.
  if (!isInserted) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  const row = await saveMessageAndNotify(
    services,
    tx,
    { id, accountId, qrCodeId, qrCode, ...finderDetails, finderEmailConfirmedAt: null },
    { sender: 'FINDER' },
    content,
    now,
  );
  await recordAuditEntry(tx, context, { action: 'CONVERSATION_OPENED', resourceId: id });
  await requestEmailConfirmation(id, finderDetails.finderLanguage);
  return row;

  async function requestEmailConfirmation(conversationId: string, language: string): Promise<void> {
    if (email === null) return;
    const isAllowed = await tryConsumeConfirmationMail(fieldCipher, context, tx);
    await services.mailAddressConfirmation(tx, { qrCodeId, conversationId, email, language, isAllowed });
  }
}

// Null if the finder cannot continue it.
async function lockContinuableConversation(
  tx: Tx,
  { id: qrCodeId, accountId }: ConversationOrigin['qrCode'],
  continuedId: string | undefined,
): Promise<ConversationRow | null> {
  const row = continuedId === undefined ? null : await lockConversation(tx, continuedId);
  return row?.status === 'OPEN' && row.qrCodeId === qrCodeId && row.accountId === accountId ? row : null;
}

export function createConversationStartLimit(
  fieldCipher: FieldCipher,
  { address }: RequestContext,
  qrCodeId: string,
) {
  const key = fieldCipher
    .hash('conversation-budget', truncateIpAddress(address), qrCodeId)
    .toString('base64url');
  return {
    key: `conversation:${key}`,
    allowed: scaleByAddress(address, MAX_STARTED_PER_HOUR),
    windowSeconds: HOUR_SECONDS,
  };
}
