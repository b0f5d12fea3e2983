import type { Db, Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { deletePictures } from '../../files/index.ts';
import { lockAccountsForMove } from '../account-moves/move.repository.ts';
import { deleteQrCodeHistory, type MoveServices, moveQrCode } from '../account-moves/move-qrcode.ts';
import { QR_CODE_DATA } from '../encrypted-content.ts';
import { createQrCodeImageName } from '../image-files.ts';
import type { OwnedQrCodeId } from '../owned-qrcode-id.ts';
import { getQrCodeKindByName } from '../qrcode.view.ts';
import { getOwnQrCode, lockOwnQrCode } from '../read-own-qrcode.ts';
import type { BatchDesign } from './batch-design.ts';
import {
  activateClaimedCode,
  type ClaimableTag,
  emptyUnclaimedCode,
  findTagOfCode,
  markTagClaimed,
} from './claim.repository.ts';

/** Whether whoever claimed a tag can give it back. */
export function canUndoClaim({ claimedAt }: Pick<ClaimableTag, 'claimedAt'>): boolean {
  return claimedAt !== null && Date.now() - claimedAt.getTime() < LIFETIMES_SECONDS.claimUndo * 1000;
}

/**
 * Move the code of an unclaimed tag to an account, and name what it is on. Claims of the tags of one account are one after
 * the other.
 * @throws TAG_CLAIMED if somebody was faster, PLAN_LIMIT_REACHED of the new account
 */
export async function claimTag(
  services: MoveServices,
  context: RequestContext,
  tx: Tx,
  tag: ClaimableTag,
  { accountId, name }: { accountId: string; name: string },
): Promise<Date> {
  const { qrCodeId, kind } = tag;
  if (accountId !== tag.accountId)
    await moveQrCode(services, context, tx, {
      qrCodeId,
      fromAccountId: tag.accountId,
      toAccountId: accountId,
      history: 'CUT',
    }).catch(rethrowAsClaimed);
  const owned = { accountId, id: qrCodeId };
  const data = QR_CODE_DATA.encrypt(services.fieldCipher, { ...owned, kind }, { name });
  const claimedAt = new Date();
  const isActivated = await activateClaimedCode(tx, owned, { title: name, data });
  if (!isActivated || !(await markTagClaimed(tx, tag, claimedAt))) throw new ServiceError('TAG_CLAIMED');
  return claimedAt;
}

/** It left the account meanwhile. */
function rethrowAsClaimed(error: unknown): never {
  throw error instanceof ServiceError && error.code === 'NOT_FOUND' ? new ServiceError('TAG_CLAIMED') : error;
}

/** Find a claimed tag that its owner can give back. @throws NOT_FOUND, CLAIM_FINAL */
export async function getUndoableTag(db: Db | Tx, { accountId, id }: OwnedQrCodeId): Promise<ClaimableTag> {
  const tag = await findTagOfCode(db, id);
  if (!tag?.claimedAt) throw new ServiceError('NOT_FOUND');
  await getOwnQrCode(db, { accountId, id });
  if (!canUndoClaim(tag)) throw new ServiceError('CLAIM_FINAL');
  return tag;
}

/**
 * Give a claimed tag back to the account of its batch, without anything that was written or scanned since. Returns the image
 * that nobody needs any more.
 * @throws NOT_FOUND, CLAIM_FINAL, HISTORY_TOO_LONG
 */
export async function undoClaim(
  services: MoveServices,
  context: RequestContext,
  tx: Tx,
  { accountId, id }: OwnedQrCodeId,
): Promise<string | null> {
  const tag = await getUndoableTag(tx, { accountId, id });
  const move = { fromAccountId: accountId, toAccountId: tag.accountId };
  if (!(await lockAccountsForMove(tx, move))) throw new ServiceError('NOT_FOUND');
  const { kind, slug, imageFile } = await lockOwnQrCode(tx, { accountId, id });
  await services.files.remove(tx, await deletePictures(tx, accountId, { qrCodeId: id }));
  if (accountId === tag.accountId) await deleteQrCodeHistory(services, tx, { accountId, id });
  else {
    // The quota of the batch counted it before.
    const withoutQuota = { ...services, reserveQuota: async () => {} };
    await moveQrCode(withoutQuota, context, tx, { ...move, qrCodeId: id, history: 'CUT' });
  }
  const owned = { accountId: tag.accountId, id };
  const data = QR_CODE_DATA.encrypt(services.fieldCipher, { ...owned, kind }, {});
  const definition = getQrCodeKindByName(kind);
  await emptyUnclaimedCode(tx, owned, {
    title: tag.title,
    data,
    design: tag.design as BatchDesign,
    pageDesign: tag.pageDesign,
    imageFile: createQrCodeImageName({ kind: definition, slug, accountId: tag.accountId }),
  });
  if (!(await markTagClaimed(tx, tag, null))) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  return imageFile;
}
