import { type Static, Type } from 'typebox';
import type { Tx } from '../../platform/database.ts';
import { repeatable, schemaRef } from '../../shared/common.schemas.ts';
import { listPicturesOfQrCodes, toPictureView } from '../files/index.ts';
import { decryptQrCodeData } from './encrypted-content.ts';
import { QR_CODE_GALLERY_PATH, QrCodePicture } from './gallery.ts';
import type { QrCodeViewContext } from './qrcode.view.ts';
import { listQrCodeData, type QrCodeListRow } from './qrcode-list.repository.ts';
import { QrCode, QrCodeItem } from './qrcodes.schemas.ts';

export const QrCodeListItem = Type.Object(
  {
    ...QrCodeItem.properties,
    data: Type.Optional(QrCode.properties.data),
    pictures: Type.Optional(Type.Array(schemaRef(QrCodePicture))),
  },
  { $id: 'QrCodeListItem', description: 'A code; `data` and `pictures` only if `include` names them.' },
);

export type IncludedContent = Pick<Static<typeof QrCodeListItem>, 'data' | 'pictures'>;

/** Values of the query parameter: names separated by commas. */
export const IncludeParameter = Type.Optional(
  repeatable(
    Type.String({ pattern: '^(?:data|pictures)(?:,(?:data|pictures))?$' }),
    'Adds `data`, `pictures` or both to each item: `include=data,pictures`. Medical codes are then audited as read.',
  ),
);

export interface Included {
  data: boolean;
  pictures: boolean;
}

export function parseInclude(values: readonly string[] | undefined): Included | undefined {
  const names = values?.flatMap((value) => value.split(','));
  return names && { data: names.includes('data'), pictures: names.includes('pictures') };
}

/** Load content of an account's codes, one statement for each part; that of deleted codes is left out. @throws DATA_INTEGRITY */
export async function loadIncludedContent(
  tx: Tx,
  accountId: string,
  { fieldCipher, publicBaseUrl }: QrCodeViewContext,
  codes: readonly Pick<QrCodeListRow, 'id' | 'status'>[],
  included: Included,
): Promise<Map<string, IncludedContent>> {
  const ids = codes.filter(({ status }) => status !== 'DELETED').map(({ id }) => id);
  const rows = included.data ? await listQrCodeData(tx, accountId, ids) : [];
  const dataById = new Map(rows.map((row) => [row.id, { data: decryptQrCodeData(fieldCipher, row) }]));
  const pictures = included.pictures ? await listPicturesOfQrCodes(tx, accountId, ids) : [];
  const found = included.data ? [...dataById.keys()] : ids;
  return new Map(
    found.map((id) => [
      id,
      {
        ...dataById.get(id),
        ...(included.pictures && {
          pictures: pictures
            .filter(({ qrCodeId }) => qrCodeId === id)
            .map((picture) => ({
              ...toPictureView(publicBaseUrl, QR_CODE_GALLERY_PATH, id, picture),
              qrCodeId: id,
            })),
        }),
      },
    ]),
  );
}
