import type { Db } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { findShareByTokenHash, type SharedDocument } from './share.repository.ts';
import { getShareState, type ShareState } from './share.rules.ts';
import type { DocumentShareServices } from './share-services.ts';
import { hashShareToken, isShareToken } from './share-token.ts';

type ShareStateServices = Pick<DocumentShareServices, 'isEnterpriseEnforced'>;

/** Whether the rules of enterprise mode for health documents hold. */
export function requiresStrictSharing(
  { isEnterpriseEnforced }: ShareStateServices,
  { kind, ownerIsEnterprise }: { kind: string; ownerIsEnterprise: boolean },
): boolean {
  return kind === 'HEALTH' && (isEnterpriseEnforced || ownerIsEnterprise);
}

/** Whether a share can be opened at this moment, and why not. */
export function getSharedDocumentState(services: ShareStateServices, share: SharedDocument): ShareState {
  return getShareState(
    { ...share, requiresStrictSharing: requiresStrictSharing(services, share) },
    new Date(),
  );
}

/** A share that can be opened. Throws SHARE_EXPIRED, SHARE_USED_UP, and NOT_FOUND for any other that cannot, and for none. */
export function requireActiveShare(
  services: ShareStateServices,
  share: SharedDocument | null,
): SharedDocument {
  const state = share ? getSharedDocumentState(services, share) : 'ENDED';
  if (state === 'EXPIRED') throw new ServiceError('SHARE_EXPIRED');
  if (state === 'USED_UP') throw new ServiceError('SHARE_USED_UP');
  if (!share || state !== 'ACTIVE') throw new ServiceError('NOT_FOUND');
  return share;
}

/** The share of a token, in whatever state; null where there is none. */
export async function findShareByPlainToken(
  { fieldCipher }: Pick<DocumentShareServices, 'fieldCipher'>,
  db: Db,
  token: string,
): Promise<SharedDocument | null> {
  return isShareToken(token) ? findShareByTokenHash(db, hashShareToken(fieldCipher, token)) : null;
}
