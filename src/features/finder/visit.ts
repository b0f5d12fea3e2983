import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getRequestContext, type RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  getPublicQrCodeContent,
  getQrCodeContentForScan,
  type ScannedQrCode,
  type ScanServices,
  toScanVisitor,
  type VisibleQrCodeContent,
} from '../scans/index.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormTokenVisit } from './form-token.ts';
import { findPhoneUserId } from './owner-phone-cookie.ts';

/** No page at all, unlike a limit above which pages are not recorded. */
export class PageLimitError extends ServiceError {
  constructor(retryAfterSeconds: number) {
    super('RATE_LIMITED', { retryAfterSeconds });
  }
}

/**
 * Record the visit of a form unless the client exceeded the rate limit of the code.
 * @throws PageLimitError far above it, and as `recordPageVisit`
 */
export async function startFormVisit(
  app: FastifyInstance,
  services: FinderServices,
  request: FastifyRequest,
  codeId: string,
): Promise<PageVisit> {
  if ((await app.consumeCodeRateLimit(request, codeId)) === undefined)
    return recordPageVisit(services, request, codeId);
  await consumeUnrecordedPageLimit(app, request, codeId);
  return getVisitWithoutScan(services, getRequestContext(request), codeId);
}

/** @throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, BUSY, DATA_INTEGRITY */
export async function recordPageVisit(
  services: FinderServices,
  request: FastifyRequest,
  codeId: string,
): Promise<PageVisit> {
  const phoneUserId = await findPhoneUserId(services, request.headers.cookie);
  const context = getRequestContext(request);
  const visitor = toScanVisitor(context, phoneUserId);
  const visit = { type: 'public', visitor, location: null, matchedHash: null } as const;
  const { id: scanId, class: scanClass, code, content } = await services.recordScan(context, codeId, visit);
  // Pages take no credential, so that only the phone makes the scan one of the owner.
  return { code, scanId, ...content, isOwnPhone: phoneUserId !== null && scanClass === 'OWNER' };
}

/** @throws PageLimitError */
export async function consumeUnrecordedPageLimit(
  app: FastifyInstance,
  request: FastifyRequest,
  codeId: string,
): Promise<void> {
  const waitSeconds = await app.consumeUnrecordedPageLimit(request, codeId);
  if (waitSeconds !== undefined) throw new PageLimitError(waitSeconds);
}

export interface PageVisit extends VisibleQrCodeContent {
  code: ScannedQrCode;
  scanId: string | null;
  /** Where the scan was (ISO 3166-1 alpha-2), if its position was shared. */
  country?: string | null;
  isOwnerPreview?: boolean;
  /** Its owner, or a member of its organization, marked this phone. */
  isOwnPhone?: boolean;
  /** In place of the public address of its pictures. */
  picturesAddress?: string | undefined;
  /** What the owner has not saved yet. */
  unsavedData?: Readonly<Record<string, unknown>>;
}

type Services = Pick<ScanServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>;

/** @throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY */
export async function getVisitWithoutScan(
  services: Services,
  context: RequestContext,
  codeId: string,
): Promise<PageVisit> {
  const { code, content: publicContent } = await getPublicQrCodeContent(services, context, codeId);
  return { code, scanId: null, ...publicContent };
}

/**
 * Get the content, unlocked if the PIN was entered.
 * @throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY
 */
export async function getExistingVisit(
  services: Services,
  context: RequestContext,
  codeId: string,
  { id, isScan }: Pick<FormTokenVisit, 'id' | 'isScan'>,
): Promise<PageVisit> {
  const scanId = isScan ? id : null;
  const { code, content, country } = await getQrCodeContentForScan(services, context, codeId, scanId);
  return { code, scanId, country, ...content };
}
