import { recordAuditEntry } from '../../platform/audit.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { softDeleteQrCode } from './deleted-qrcode.repository.ts';
import { removeQrCodeImage } from './image-files.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import { publishQrCodeChange } from './publish-change.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { lockOwnQrCode } from './read-own-qrcode.ts';

/** Delete a code, which can be restored, and its image, which is drawn again. @throws NOT_FOUND, PRECONDITION_FAILED */
export async function deleteOwnQrCode(
  { database, events, publicFiles }: Pick<QrCodeServices, 'database' | 'events' | 'publicFiles'>,
  context: RequestContext,
  owned: OwnedQrCodeId,
  ifMatch: string | undefined,
): Promise<void> {
  const imageFile = await database.transaction(async (tx) => {
    const row = await lockOwnQrCode(tx, owned);
    assertIfMatch(ifMatch, row.version);
    await softDeleteQrCode(tx, owned.accountId, row.id);
    await recordAuditEntry(tx, context, { resourceId: row.id });
    await publishQrCodeChange(events, tx, { ...row, version: row.version + 1 }, 'code.deleted');
    return row.imageFile;
  });
  await removeQrCodeImage(publicFiles, imageFile);
}
