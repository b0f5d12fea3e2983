import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { auditMedicalContentAccess } from './audit-medical-access.ts';
import { findScan } from './scan.repository.ts';
import type { ScanServices } from './scan-services.ts';
import {
  getOpenQrCode,
  getVisibleQrCodeContent,
  isScanUnlocked,
  type ScannedQrCode,
  type VisibleQrCodeContent,
} from './scanned-code.ts';

type Services = Pick<ScanServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>;

/** Medical content is audited. @throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY */
export async function getPublicQrCodeContent(
  services: Services,
  context: RequestContext,
  codeId: string,
): Promise<{ code: ScannedQrCode; content: VisibleQrCodeContent }> {
  return getQrCodeContentForScan(services, context, codeId, null);
}

/** `country` is where the scan was, if its position was shared. @throws as `getPublicQrCodeContent` */
export async function getQrCodeContentForScan(
  services: Services,
  context: RequestContext,
  codeId: string,
  scanId: string | null,
): Promise<{ code: ScannedQrCode; content: VisibleQrCodeContent; country: string | null }> {
  return services.database.transaction(async (tx) => {
    const code = await getOpenQrCode(tx, codeId);
    const scan = scanId === null ? null : await findScan(tx, scanId);
    const unlocked = scan?.qrCodeId === codeId && isScanUnlocked(scan, code);
    const content = getVisibleQrCodeContent(services, code, unlocked);
    await auditMedicalContentAccess(context, tx, code, content);
    return { code, content, country: scan?.qrCodeId === codeId ? scan.country : null };
  });
}

/** Add the content to errors of the PIN, which never protects it. @throws as `getPublicQrCodeContent` */
export async function addPublicContentToError(
  services: Services,
  context: RequestContext,
  codeId: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || !['PIN_INCORRECT', 'RATE_LIMITED'].includes(error.code))
    return error;
  const { content } = await getPublicQrCodeContent(services, context, codeId);
  const { code: name, message: detail, retryAfterSeconds, members } = error;
  return new ServiceError(name, {
    detail,
    members: { ...members, ...content },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
