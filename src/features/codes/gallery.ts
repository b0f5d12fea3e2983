import { auditAs } from '../../platform/route-access.ts';
import { Id } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { createPictureSchema, type PictureGallery } from '../files/index.ts';
import { incrementQrCodeVersion, type QrCodeRow } from './qrcode.repository.ts';
import { getQrCodeKindByName } from './qrcode.view.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { getOwnQrCode, lockOwnQrCode, readOwnQrCode } from './read-own-qrcode.ts';

export const QrCodePicture = createPictureSchema('QrCodePicture', { qrCodeId: Id });

export const QR_CODE_GALLERY_PATH = {
  path: '/api/qrcodes',
  toKey: (qrCodeId: string) => ({ qrCodeId }),
};

/** Define the pictures of a code, which its owner edits. */
export function createQrCodeGallery(services: QrCodeServices): PictureGallery {
  return {
    name: 'qrcodes',
    tag: 'QR codes',
    subject: 'a code',
    ...QR_CODE_GALLERY_PATH,
    permission: 'qrcodes:own',
    readAudit: auditAs('MEDICAL_DATA_READ'),
    auditActions: {
      added: 'QRCODE_PICTURE_ADDED',
      updated: 'QRCODE_PICTURE_UPDATED',
      deleted: 'QRCODE_PICTURE_DELETED',
      restored: 'QRCODE_PICTURE_RESTORED',
    },
    schema: QrCodePicture,
    maxPictures: 10,
    authorizeRead: (context, accountId, id) =>
      readOwnQrCode(services.database, context, { accountId, id }, (row) => row),
    async findOwner(db, accountId, id, change) {
      const row = await getOwnQrCode(db, { accountId, id });
      if (change === 'ADD') assertPicturesSupported(row);
      return row;
    },
    async lockForChange(tx, accountId, id, change) {
      const row = await lockOwnQrCode(tx, { accountId, id });
      if (change !== 'DELETE' && (await services.isReadOnly(tx, 'qrCodes', row)))
        await services.rejectReadOnlyChange(tx, 'qrCodes', accountId);
      // Caches, unlocked scans and picture tickets depend on the version.
      await incrementQrCodeVersion(tx, accountId, id);
      return row;
    },
  };
}

/** Nobody who scans a STATIC code sees its page. */
function assertPicturesSupported({ kind, mode, status }: QrCodeRow): void {
  if (status === 'UNCLAIMED') throw new ServiceError('TAG_UNCLAIMED');
  if (mode === 'STATIC' || !('pictures' in getQrCodeKindByName(kind).defaultVisibility))
    throw new ServiceError('PICTURES_NOT_SUPPORTED');
}
