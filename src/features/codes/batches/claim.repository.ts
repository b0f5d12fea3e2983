import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import type { OwnedQrCodeId } from '../owned-qrcode-id.ts';
import type { BatchDesign } from './batch-design.ts';

export interface ClaimableTag {
  /** Whose batch it is. */
  accountId: string;
  batchId: string;
  qrCodeId: string;
  kind: string;
  title: string;
  claim: string;
  claimCode: Uint8Array | null;
  /** Of the images: with what was adjusted. */
  design: unknown;
  pageDesign: unknown;
  claimedAt: Date | null;
  /** Of an organization; null for a personal account. */
  accountName: string | null;
}

/** Find the tag of a code, whoever owns the code; null for a code of no batch. */
export async function findTagOfCode(db: Db | Tx, qrCodeId: string): Promise<ClaimableTag | null> {
  const [row] = await querySql<ClaimableTag>(db)`
    SELECT tag.account_id AS "accountId", tag.batch_id AS "batchId", tag.qr_code_id AS "qrCodeId", batch.kind, tag.title,
           batch.claim, tag.claim_code AS "claimCode", batch.design, batch.page_design AS "pageDesign", tag.claimed_at AS "claimedAt",
           account.name AS "accountName"
    FROM batch_tags AS tag
    JOIN batches AS batch ON batch.account_id = tag.account_id AND batch.id = tag.batch_id AND batch.deleted_at IS NULL
    JOIN accounts AS account ON account.id = tag.account_id
    WHERE tag.qr_code_id = ${qrCodeId}`;
  return row ?? null;
}

/** Mark a tag as claimed, or no longer; false if it is so already. The batch counts it. */
export async function markTagClaimed(
  tx: Tx,
  { accountId, batchId, qrCodeId }: Pick<ClaimableTag, 'accountId' | 'batchId' | 'qrCodeId'>,
  claimedAt: Date | null,
): Promise<boolean> {
  const isClaim = claimedAt !== null;
  const count = await executeSql(tx)`
    UPDATE batch_tags SET claimed_at = ${claimedAt}
    WHERE account_id = ${accountId} AND qr_code_id = ${qrCodeId} AND (claimed_at IS NULL) = ${isClaim}`;
  if (count !== 1) return false;
  await executeSql(tx)`
    UPDATE batches SET claimed = claimed + ${isClaim ? 1 : -1} WHERE account_id = ${accountId} AND id = ${batchId}`;
  return true;
}

/** Remember that the page of an unclaimed tag was opened. */
export async function markTagScanned(
  db: Db,
  { accountId, batchId, qrCodeId }: Pick<ClaimableTag, 'accountId' | 'batchId' | 'qrCodeId'>,
): Promise<void> {
  await executeSql(db)`
    WITH marked AS (
      UPDATE batch_tags SET scanned_at = now()
      WHERE account_id = ${accountId} AND qr_code_id = ${qrCodeId} AND scanned_at IS NULL AND claimed_at IS NULL
      RETURNING 1
    )
    UPDATE batches SET scanned = scanned + 1
    WHERE account_id = ${accountId} AND id = ${batchId} AND EXISTS (SELECT FROM marked)`;
}

/** Give an unclaimed code its content; false if it is not unclaimed. */
export async function activateClaimedCode(
  tx: Tx,
  { accountId, id }: OwnedQrCodeId,
  { title, data }: { title: string; data: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  const { count } = await tx.qrCode.updateMany({
    where: { accountId, id, status: 'UNCLAIMED' },
    data: { status: 'ACTIVE', title, data, version: { increment: 1 }, updatedAt: new Date() },
  });
  return count === 1;
}

/** Take all content from a code, which nobody owns from now on. */
export async function emptyUnclaimedCode(
  tx: Tx,
  { accountId, id }: OwnedQrCodeId,
  content: {
    title: string;
    data: Uint8Array<ArrayBuffer>;
    design: BatchDesign;
    pageDesign: unknown;
    imageFile: string;
  },
): Promise<void> {
  const { title, data, design, pageDesign, imageFile } = content;
  await executeSql(tx)`
    UPDATE qr_codes
    SET status = 'UNCLAIMED', title = ${title}, data = ${data}, page_design = ${JSON.stringify(pageDesign)}::jsonb,
        design = ${JSON.stringify(design.design)}::jsonb, adjusted = ${JSON.stringify(design.adjusted)}::jsonb, logo = NULL,
        image_file = ${imageFile}, visibility = '{}',
        external_id = NULL, metadata = '{}', lost_details = NULL, found_details = NULL, found_at = NULL, pin_hash = NULL,
        contactable = true, shows_page = false, notify_on = 'EVERY_SCAN', expires_at = NULL, version = version + 1,
        updated_at = now()
    WHERE account_id = ${accountId} AND id = ${id}`;
}

/** Forget the claim codes of tags that were claimed before. */
export async function clearClaimCodes(db: Db, before: Date): Promise<void> {
  await executeSql(db)`
    UPDATE batch_tags SET claim_code = NULL WHERE claimed_at < ${before} AND claim_code IS NOT NULL`;
}
