import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database.ts';
import type { IdempotentHandler, IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { FileStore } from '../../../providers/files/files.port.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import {
  CLAIM_CODE,
  type ClaimableTag,
  claimTag,
  findPublicQrCodeStatus,
  findTagOfCode,
  getQrCodeScanUrl,
  getUndoableTag,
  type MoveServices,
  markTagScanned,
  matchesClaimCode,
  removeQrCodeImage,
  undoClaim,
  WITHHELD_STATUS,
} from '../../codes/index.ts';
import { moveScanHistory } from '../move-scans.ts';
import { consumePinAttempts, refundPinAttempts } from '../pin-attempts.repository.ts';
import { createPinLimits, reservePinAttempt } from '../pin-limits.ts';
import type { ClaimView } from './claims.schemas.ts';

/** How long a request deletes scans. */
const MAX_UNDO_MS = 10_000;

export interface ClaimServices extends MoveServices {
  database: Database;
  createIdempotently: IdempotentHandler;
  publicBaseUrl: string;
  publicFiles: FileStore;
}

/** Find a tag that can be claimed. @throws NOT_FOUND, CODE_UNAVAILABLE, TAG_CLAIMED */
export async function getClaimableTag(
  { database }: Pick<ClaimServices, 'database'>,
  qrCodeId: string,
): Promise<ClaimableTag> {
  // First, since a claim that is committed in between changes both.
  const status = await findPublicQrCodeStatus(database.client, qrCodeId);
  const tag = await findTagOfCode(database.client, qrCodeId);
  if (!tag) throw new ServiceError('NOT_FOUND');
  if (tag.claimedAt) throw new ServiceError('TAG_CLAIMED');
  if (status === WITHHELD_STATUS) throw new ServiceError('CODE_UNAVAILABLE');
  if (status !== 'UNCLAIMED') throw new ServiceError('NOT_FOUND');
  return tag;
}

/** Find what the page of an unclaimed tag shows, and remember that it was shown; null for a tag that cannot be claimed. */
export async function openUnclaimedTag(
  services: Pick<ClaimServices, 'database'>,
  qrCodeId: string,
  isShown: boolean,
): Promise<ClaimableTag | null> {
  try {
    const tag = await getClaimableTag(services, qrCodeId);
    if (isShown) await markTagScanned(services.database.client, tag);
    return tag;
  } catch (error) {
    if (error instanceof ServiceError && error.statusCode < 500) return null;
    throw error;
  }
}

export interface ClaimInput {
  accountId: string;
  qrCodeId: string;
  name: string;
  claimCode: string | undefined;
}

/**
 * Claim a tag for an account. Wrong claim codes are limited as PINs are.
 * @throws NOT_FOUND, CODE_UNAVAILABLE, TAG_CLAIMED, CLAIM_CODE_INCORRECT with `attemptsLeft`, RATE_LIMITED, PLAN_LIMIT_REACHED
 */
export async function claimTagByCode(
  services: ClaimServices,
  context: RequestContext,
  { accountId, qrCodeId, name, claimCode }: ClaimInput,
): Promise<IdempotentResult<ClaimView>> {
  const once = { who: accountId, fingerprint: { qrCodeId, name, claimCode: claimCode ?? null } };
  const replay = await services.createIdempotently.replay<ClaimView>(context, once);
  if (replay) return replay;
  const tag = await getClaimableTag(services, qrCodeId);
  if (tag.claim === 'BY_CODE') await verifyClaimCode(services, context, tag, claimCode ?? '');
  return services.createIdempotently(context, once, async (tx) => {
    const claimedAt = await claimTag(services, context, tx, tag, { accountId, name });
    await recordAuditEntry(tx, context, { action: 'TAG_CLAIMED', resourceId: qrCodeId });
    const body = {
      qrCodeId,
      kind: tag.kind,
      title: name,
      scanUrl: getQrCodeScanUrl(services.publicBaseUrl, qrCodeId),
      claimedAt: claimedAt.toISOString(),
      undoUntil: new Date(claimedAt.getTime() + LIFETIMES_SECONDS.claimUndo * 1000).toISOString(),
    };
    return { body, location: `/api/qrcodes/${qrCodeId}` };
  });
}

/** @throws CLAIM_CODE_INCORRECT with `attemptsLeft`, RATE_LIMITED */
async function verifyClaimCode(
  { database, fieldCipher }: ClaimServices,
  context: RequestContext,
  tag: ClaimableTag,
  typed: string,
): Promise<void> {
  const limits = createPinLimits(fieldCipher, 'claim-code', tag.qrCodeId, context.address);
  const reservation = await reservePinAttempt(database, limits);
  const code = CLAIM_CODE.decrypt(fieldCipher, tag);
  if (code !== null && matchesClaimCode(code, typed)) {
    await refundPinAttempts(database.client, reservation.limits);
    return;
  }
  const { left, waitSeconds } = await database.transaction(async (tx) => {
    const attempts = await consumePinAttempts(tx, reservation.limits);
    await recordAuditEntry(tx, context, {
      action: 'CLAIM_CODE_REJECTED',
      outcome: 'DENIED',
      resourceType: 'QRCODE',
      resourceId: tag.qrCodeId,
    });
    return attempts;
  });
  throw new ServiceError('CLAIM_CODE_INCORRECT', {
    members: { attemptsLeft: left },
    ...(left === 0 && { retryAfterSeconds: reservation.waitSeconds ?? waitSeconds }),
  });
}

/**
 * Give a claimed tag back, within a day.
 * @throws NOT_FOUND, CLAIM_FINAL, HISTORY_TOO_LONG when scans are left, which the next call deletes
 */
export async function undoOwnClaim(
  services: ClaimServices,
  context: RequestContext,
  owned: { accountId: string; id: string },
): Promise<void> {
  const { database } = services;
  const tag = await getUndoableTag(database.client, owned);
  const move = { qrCodeId: owned.id, fromAccountId: owned.accountId, toAccountId: tag.accountId };
  await moveScanHistory(services, { ...move, history: 'CUT' }, AbortSignal.timeout(MAX_UNDO_MS));
  const imageFile = await database.transaction(async (tx) => {
    const image = await undoClaim(services, context, tx, owned);
    await recordAuditEntry(tx, context, { action: 'CLAIM_UNDONE', resourceId: owned.id });
    return image;
  });
  await removeQrCodeImage(services.publicFiles, imageFile);
}
