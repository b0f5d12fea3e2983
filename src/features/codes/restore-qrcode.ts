import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { drawQrCode, getQrCodeRowPayload } from './draw-qrcode.ts';
import { storeQrCodeImage } from './image-files.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import { publishQrCodeChange } from './publish-change.ts';
import { findRestorableQrCode, restoreQrCode } from './qrcode.repository.ts';
import { getQrCodeDesign, getQrCodeKindByName, toQrCodeView } from './qrcode.view.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import type { QrCode } from './qrcodes.schemas.ts';
import { assertQrCodeExternalIdFree } from './read-own-qrcode.ts';
import { removeUnusedQrCodeImage } from './remove-unused-image.ts';
import { getQrCodeRestoreCutoff } from './restore.rules.ts';

/** Restore a deleted code and draw its image again. @throws NOT_FOUND, PRECONDITION_FAILED, PLAN_LIMIT_REACHED, EXTERNAL_ID_TAKEN, BUSY */
export async function restoreOwnQrCode(
  services: QrCodeServices,
  context: RequestContext,
  { id, ownerId }: OwnedQrCodeId,
  ifMatch: string | undefined,
): Promise<Static<typeof QrCode>> {
  const { database, publicFiles } = services;
  const row = await findRestorableQrCode(database.client, ownerId, id, getQrCodeRestoreCutoff());
  if (!row) throw new ServiceError('NOT_FOUND');
  assertIfMatch(ifMatch, row.version);
  await assertQrCodeExternalIdFree(database.client, row);
  const { png } = await drawQrCode(ownerId, getQrCodeRowPayload(services, row), getQrCodeDesign(row));
  const kind = getQrCodeKindByName(row.kind);
  const imageFile = await storeQrCodeImage(publicFiles, { ...row, kind }, png);
  let isUsed = false;
  try {
    const view = await database.transaction(async (tx) => {
      await services.reserveQuota(tx, 'qrCodes', ownerId);
      const restored = await restoreQrCode(tx, row, imageFile);
      if (!restored) throw new ServiceError('NOT_FOUND');
      await recordAuditEntry(tx, context, { resourceId: id });
      await publishQrCodeChange(services.events, tx, restored, 'restored');
      return toQrCodeView(services, restored, false);
    });
    isUsed = true;
    return view;
  } finally {
    if (!isUsed) await removeUnusedQrCodeImage(services, imageFile);
  }
}
