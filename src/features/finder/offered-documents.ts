import { ServiceError } from '../../shared/errors.ts';
import {
  findActiveDocumentSharesByQrCode,
  findSharedDocument,
  getCurrentShareState,
  type SharedDocument,
} from '../documents/index.ts';
import { findScan, getOpenQrCode, isScanUnlocked, type ScannedQrCode } from '../scans/index.ts';
import { type FinderServices, getQrCodePagePath } from './finder-services.ts';
import type { OfferedDocuments } from './sections/content.ts';
import type { PageVisit } from './visit.ts';

/** Offer nothing while the PIN is missing, and titles only if the name of the code is visible. */
export async function findOfferedDocuments(
  services: FinderServices,
  { code, profile, pinRequired }: PageVisit,
  token: string | null,
): Promise<OfferedDocuments | null> {
  if (code.kind !== 'DOCUMENT' || pinRequired || token === null) return null;
  const found = await findActiveDocumentSharesByQrCode(services.database.client, code.id);
  const shares = found.filter((share) => getCurrentShareState(services, share) === 'ACTIVE');
  const showsTitles = Object.hasOwn(profile ?? {}, 'name');
  return { action: `${getQrCodePagePath(services, code.id)}/documents`, visit: token, shares, showsTitles };
}

/** Get a share offered to a scan, whatever its state. @throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED */
export async function getOfferedDocumentShare(
  { database }: Pick<FinderServices, 'database'>,
  offer: { codeId: string; scanId: string; shareId: string },
): Promise<{ code: ScannedQrCode; share: SharedDocument }> {
  const { codeId, scanId, shareId } = offer;
  const code = await getOpenQrCode(database.client, codeId);
  const scan = await findScan(database.client, scanId);
  const share = await findSharedDocument(database.client, shareId);
  const isVisible = scan?.qrCodeId === codeId && (code.pinHash === null || isScanUnlocked(scan, code));
  if (!isVisible || share?.qrCodeId !== codeId) throw new ServiceError('NOT_FOUND');
  return { code, share };
}
