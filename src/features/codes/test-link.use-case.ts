import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { lockQrCodeAccount } from './account-moves/move.repository.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import { deleteOwnerPhone, type OwnerPhoneKey } from './owner-phones/owner-phone.repository.ts';
import { markOwnerPhone } from './owner-phones/owner-phones.use-case.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { getOwnQrCode } from './read-own-qrcode.ts';
import {
  consumeTestLink,
  createTestLinkToken,
  hashTestLinkToken,
  insertTestLink,
} from './test-link.repository.ts';

/** Create the link that marks the phone of the user who acts. @throws NOT_FOUND */
export async function createTestLink(
  { database, createIdempotently, publicBaseUrl }: QrCodeServices,
  context: RequestContext,
  owned: OwnedQrCodeId,
): Promise<IdempotentResult<{ url: string; expiresAt: string }>> {
  const { id: qrCodeId, accountId } = await getOwnQrCode(database.client, owned);
  return createIdempotently(context, { who: accountId, fingerprint: null, isSecret: true }, async (tx) => {
    if (!(await lockQrCodeAccount(tx, accountId, qrCodeId))) throw new ServiceError('NOT_FOUND');
    const userId = context.user?.id ?? accountId;
    const token = await createTestLinkToken(tx, userId);
    const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.testLink * 1000);
    await insertTestLink(tx, { tokenHash: hashTestLinkToken(token), qrCodeId, userId, expiresAt });
    await recordAuditEntry(tx, context, { resourceId: qrCodeId });
    const location = `/s/test/${token}`;
    return { body: { url: publicBaseUrl + location, expiresAt: expiresAt.toISOString() }, location };
  });
}

/**
 * Use a link once, and mark the phone that opened it; null if it is invalid, used, expired, or access was revoked since.
 * @param marked the mark that the phone has already, which the new one replaces
 */
export function openTestLink(
  database: Database,
  context: RequestContext,
  token: string,
  marked: OwnerPhoneKey | null,
): Promise<{ qrCodeId: string; accountId: string; phoneId: string } | null> {
  return database.forEveryAccount('PUBLIC_LOOKUP').transaction(async (tx) => {
    const link = await consumeTestLink(tx, token);
    if (!link) return null;
    const { qrCodeId, ...owner } = link;
    if (marked?.accountId === owner.accountId) await deleteOwnerPhone(tx, marked);
    const phoneId = await markOwnerPhone(tx, context, owner);
    await recordAuditEntry(tx, context, { resourceId: qrCodeId });
    return { qrCodeId, accountId: owner.accountId, phoneId };
  });
}
