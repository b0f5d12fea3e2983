import type { Db } from '../../platform/database.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { findDeletedQrCodeUsage } from './deleted-qrcode.repository.ts';

/** Deleted codes are kept for 30 days outside of the quota, so a day may add only so many. */
const MAX_DELETED_QR_CODES_PER_DAY = 200;

const MAX_DELETED_BYTES_PER_DAY = 8_000_000;

/** Limit creations by what the owner deleted within a day. @throws RATE_LIMITED */
export async function assertQrCodeCreationAllowed(db: Db, accountId: string): Promise<void> {
  const { count, bytes, oldestDeletedAt } = await findDeletedQrCodeUsage(
    db,
    accountId,
    new Date(Date.now() - DAY_MS),
    MAX_DELETED_QR_CODES_PER_DAY,
  );
  if (count < MAX_DELETED_QR_CODES_PER_DAY && bytes < MAX_DELETED_BYTES_PER_DAY) return;
  const endsAt = (oldestDeletedAt?.getTime() ?? Date.now()) + DAY_MS;
  throw new ServiceError('RATE_LIMITED', {
    detail: `Too many codes were deleted within a day. Their content is kept for ${formatLifetime('deletedQrCode')} to restore it.`,
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)),
  });
}
