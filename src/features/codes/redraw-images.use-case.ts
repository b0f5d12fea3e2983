import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { toIntegrityFailureAuditEntry } from '../../platform/integrity-failure.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { ServiceError } from '../../shared/errors.ts';
import { drawQrCode, getQrCodeRowPayload } from './draw-qrcode.ts';
import { removeQrCodeImage, storeQrCodeImage } from './image-files.ts';
import type { QrCodeRow } from './qrcode.repository.ts';
import { getQrCodeDesign, getQrCodeKindByName } from './qrcode.view.ts';
import { countQrCodesWithImage, listQrCodesWithImage, updateQrCodeImage } from './qrcode-image.repository.ts';

interface Services {
  database: Database;
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
  publicFiles: FileStore;
}

const BATCH_SIZE = 50;

const COMMAND_AUDIT_FIELDS = { operation: 'images:rebuild', requestId: 'command' } as const;

/** Needed when the base URL changes; can be interrupted, as codes keep the old image until then. */
export async function redrawQrCodeImages(
  services: Services,
  run: { progress: { step(done: number, total: number): void }; stopping: AbortSignal },
): Promise<{ drawn: number; failed: { id: string; reason: string }[] }> {
  const { client } = services.database;
  const total = await countQrCodesWithImage(client);
  const failed: { id: string; reason: string }[] = [];
  let drawn = 0;
  let afterId = '';
  while (!run.stopping.aborted) {
    const rows = await listQrCodesWithImage(client, afterId, BATCH_SIZE);
    if (rows.length === 0) break;
    for (const row of rows) {
      try {
        await redraw(services, row);
        drawn += 1;
      } catch (error) {
        if (error instanceof ServiceError && error.integrityFailure)
          await insertAuditEntry(client, {
            ...toIntegrityFailureAuditEntry(error.integrityFailure),
            ...COMMAND_AUDIT_FIELDS,
          });
        failed.push({ id: row.id, reason: error instanceof Error ? error.message : 'unknown' });
      }
      afterId = row.id;
      run.progress.step(drawn + failed.length, total);
      if (run.stopping.aborted) break;
    }
  }
  await services.database.transaction((tx) =>
    insertAuditEntry(tx, {
      action: 'QRCODE_IMAGES_REBUILT',
      outcome: failed.length === 0 ? 'SUCCESS' : 'FAILURE',
      ...COMMAND_AUDIT_FIELDS,
    }),
  );
  return { drawn, failed };
}

async function redraw(services: Services, row: QrCodeRow): Promise<void> {
  const { png, design } = await drawQrCode(
    row.accountId,
    getQrCodeRowPayload(services, row),
    getQrCodeDesign(row),
  );
  const imageFile = await storeQrCodeImage(
    services.publicFiles,
    { ...row, kind: getQrCodeKindByName(row.kind) },
    png,
  );
  const replaced = await updateQrCodeImage(services.database.client, row, { imageFile, design });
  await removeQrCodeImage(services.publicFiles, replaced ? row.imageFile : imageFile);
}
