import type { Db } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { hasEnterpriseMode } from '../../identity/index.ts';
import { findSharedDocumentByTokenHash, type SharedDocument } from './share.repository.ts';
import { getShareState, type ShareState } from './share.rules.ts';
import type { DocumentShareServices } from './share-services.ts';
import { hashShareToken, hasShareTokenFormat } from './share-token.ts';

type ShareStateServices = Pick<DocumentShareServices, 'isEnterpriseEnforced'>;

export function requiresStrictSharing(
  { isEnterpriseEnforced }: ShareStateServices,
  { kind, ownerIsEnterprise }: { kind: string; ownerIsEnterprise: boolean },
): boolean {
  return kind === 'HEALTH' && (isEnterpriseEnforced || ownerIsEnterprise);
}

/** Whether links to a document of this owner need a passcode and an expiry. */
export async function isStrictlyShared(
  services: Pick<DocumentShareServices, 'isEnterpriseEnforced' | 'database'>,
  { accountId, kind }: { accountId: string; kind: string },
): Promise<boolean> {
  const ownerIsEnterprise = await hasEnterpriseMode(services.database.client, accountId);
  return requiresStrictSharing(services, { kind, ownerIsEnterprise });
}

export function getCurrentShareState(services: ShareStateServices, share: SharedDocument): ShareState {
  return getShareState(
    { ...share, requiresStrictSharing: requiresStrictSharing(services, share) },
    new Date(),
  );
}

/** @throws SHARE_EXPIRED, SHARE_USED_UP, NOT_FOUND */
export function requireActiveDocumentShare(
  services: ShareStateServices,
  share: SharedDocument | null,
): SharedDocument {
  const state = share ? getCurrentShareState(services, share) : 'ENDED';
  if (state === 'EXPIRED') throw new ServiceError('SHARE_EXPIRED');
  if (state === 'USED_UP') throw new ServiceError('SHARE_USED_UP');
  if (!share || state !== 'ACTIVE') throw new ServiceError('NOT_FOUND');
  return share;
}

export async function findSharedDocumentByToken(
  { fieldCipher }: Pick<DocumentShareServices, 'fieldCipher'>,
  db: Db,
  token: string,
): Promise<SharedDocument | null> {
  return hasShareTokenFormat(token)
    ? findSharedDocumentByTokenHash(db, hashShareToken(fieldCipher, token))
    : null;
}
