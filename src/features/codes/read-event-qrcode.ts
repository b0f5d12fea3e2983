import type { EventObjectReader } from '../../platform/event-objects.ts';
import { toQrCodeView } from './qrcode.view.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { getOwnQrCode } from './read-own-qrcode.ts';

/** Create the reader of the code of an event, as GET /api/qrcodes/{id} shows it. Medical codes are never sent. */
export function createQrCodeEventReader(
  services: Pick<QrCodeServices, 'database' | 'fieldCipher' | 'publicBaseUrl' | 'isReadOnly'>,
): EventObjectReader {
  const { client } = services.database;
  return async ({ accountId }, { id }) => {
    const row = await getOwnQrCode(client, { accountId, id });
    if (row.kind === 'MEDICAL') return 'MEDICAL';
    return toQrCodeView(services, row, await services.isReadOnly(client, 'qrCodes', row));
  };
}
