import type { QrCodeServices } from '../qrcode-services.ts';
import type { ImportKey } from './import.repository.ts';

/** Publish, once it is committed, that an import has changed. */
export function publishImportProgress(
  { realtimeBus }: Pick<QrCodeServices, 'realtimeBus'>,
  { accountId, id: importId }: ImportKey,
): void {
  realtimeBus.publishToAccount({ event: 'import.progress', accountId, data: { importId } });
}
