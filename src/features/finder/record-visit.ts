import type { RequestContext } from '../../platform/request-context.ts';
import {
  getContentForScan,
  getPublicContent,
  type ScannedCode,
  type ScanServices,
  toScanVisitor,
  type VisibleContent,
} from '../scans/index.ts';
import type { FormVisit } from './form-token.ts';

/** What a visit to the page of a code found. */
export interface PageVisit extends VisibleContent {
  code: ScannedCode;
  /** The scan that was recorded; null when it was not. */
  scanId: string | null;
  /** Whether the owner looks by the address in their mail, which the links of the page do not have. */
  isOwnerPreview?: boolean;
}

type Services = Pick<ScanServices, 'database' | 'fieldCipher' | 'recordScan'>;

/** Records a visit as a scan of its code. Throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, BUSY, DATA_INTEGRITY. */
export async function recordVisit(
  services: Pick<Services, 'recordScan'>,
  context: RequestContext,
  codeId: string,
  phoneOwnerId: string | null,
): Promise<PageVisit> {
  const visitor = toScanVisitor(context, phoneOwnerId);
  const visit = { type: 'public', visitor, location: null, matchedHash: null } as const;
  const { id: scanId, code, content: shown } = await services.recordScan(context, codeId, visit);
  return { code, scanId, ...shown };
}

/** The same for a visit that is not recorded. Throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY. */
export async function getVisitWithoutScan(
  services: Pick<Services, 'database' | 'fieldCipher'>,
  context: RequestContext,
  codeId: string,
): Promise<PageVisit> {
  const { code, content: shown } = await getPublicContent(services, context, codeId);
  return { code, scanId: null, ...shown };
}

/** What a visit shows that is there already, as far as its PIN was given. Throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY. */
export async function getExistingVisit(
  services: Pick<Services, 'database' | 'fieldCipher'>,
  context: RequestContext,
  codeId: string,
  { id, isScan }: Pick<FormVisit, 'id' | 'isScan'>,
): Promise<PageVisit> {
  const scanId = isScan ? id : null;
  const { code, content: shown } = await getContentForScan(services, context, codeId, scanId);
  return { code, scanId, ...shown };
}
