import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { auditMedicalContent } from './record-scan-in-transaction.ts';
import { findScan } from './scan.repository.ts';
import type { ScanServices } from './scan-services.ts';
import {
  getOpenCode,
  getVisibleContent,
  isScanUnlocked,
  type ScannedCode,
  type VisibleContent,
} from './scanned-code.ts';

type Services = Pick<ScanServices, 'database' | 'fieldCipher'>;

/** Medical content is audited. @throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY */
export async function getPublicContent(
  { database, fieldCipher }: Services,
  context: RequestContext,
  codeId: string,
): Promise<{ code: ScannedCode; content: VisibleContent }> {
  return getContentForScan({ database, fieldCipher }, context, codeId, null);
}

/** @throws as `getPublicContent` */
export async function getContentForScan(
  { database, fieldCipher }: Services,
  context: RequestContext,
  codeId: string,
  scanId: string | null,
): Promise<{ code: ScannedCode; content: VisibleContent }> {
  return database.transaction(async (tx) => {
    const code = await getOpenCode(tx, codeId);
    const scan = scanId === null ? null : await findScan(tx, scanId);
    const unlocked = scan?.qrCodeId === codeId && isScanUnlocked(scan, code);
    const content = getVisibleContent(fieldCipher, code, unlocked);
    await auditMedicalContent(context, tx, code, content);
    return { code, content };
  });
}

/** Add the content to errors of the PIN, which never protects it. @throws as `getPublicContent` */
export async function addPublicContentToError(
  services: Services,
  context: RequestContext,
  codeId: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || !['PIN_INCORRECT', 'RATE_LIMITED'].includes(error.code))
    return error;
  const { content } = await getPublicContent(services, context, codeId);
  const { code: name, message: detail, retryAfterSeconds, members } = error;
  return new ServiceError(name, {
    detail,
    members: { ...members, ...content },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
