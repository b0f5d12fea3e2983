import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findRestorableQrCode, restoreQrCode } from './deleted-qrcode.repository.ts';
import { writeWithImageNames } from './image-files.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import { publishQrCodeChange } from './publish-change.ts';
import { getQrCodeKindByName, toQrCodeView } from './qrcode.view.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import type { QrCode } from './qrcodes.schemas.ts';
import { assertQrCodeExternalIdFree } from './read-own-qrcode.ts';
import { getQrCodeRestoreCutoff } from './restore.rules.ts';

/** Restore a deleted code, with a new name of its image. @throws NOT_FOUND, PRECONDITION_FAILED, PLAN_LIMIT_REACHED, EXTERNAL_ID_TAKEN */
export async function restoreOwnQrCode(
  services: QrCodeServices,
  context: RequestContext,
  { id, accountId }: OwnedQrCodeId,
  ifMatch: string | undefined,
): Promise<Static<typeof QrCode>> {
  const { database } = services;
  const row = await findRestorableQrCode(database.client, accountId, id, getQrCodeRestoreCutoff());
  if (!row) throw new ServiceError('NOT_FOUND');
  assertIfMatch(ifMatch, row.version);
  await assertQrCodeExternalIdFree(database.client, row);
  const kind = getQrCodeKindByName(row.kind);
  return writeWithImageNames((createName) =>
    database.transaction(async (tx) => {
      await services.reserveQuota(tx, 'qrCodes', accountId);
      const restored = await restoreQrCode(tx, row, createName({ ...row, kind }));
      if (!restored) throw new ServiceError('NOT_FOUND');
      await recordAuditEntry(tx, context, { resourceId: id });
      await publishQrCodeChange(services.events, tx, restored, 'code.restored');
      return toQrCodeView(services, restored, false);
    }),
  );
}
