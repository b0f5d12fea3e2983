import type { Db } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findShareByToken, type SharedDocument } from './share.repository.ts';
import { type ShareState, stateOf } from './share.rules.ts';
import type { ShareServices } from './share-services.ts';
import { isShareToken, shareTokenHash } from './share-token.ts';

type Services = Pick<ShareServices, 'enterpriseForAll'>;

/** Whether the rules of enterprise mode for health documents hold. */
export function isStrict(
  { enterpriseForAll }: Services,
  { kind, ownerIsEnterprise }: { kind: string; ownerIsEnterprise: boolean },
): boolean {
  return kind === 'HEALTH' && (enterpriseForAll || ownerIsEnterprise);
}

/** Whether a share can be opened at this moment, and why not. */
export function stateOfShared(services: Services, share: SharedDocument): ShareState {
  return stateOf({ ...share, isStrict: isStrict(services, share) }, new Date());
}

/** A share that can be opened. Throws SHARE_EXPIRED, SHARE_USED_UP, and NOT_FOUND for any other that cannot, and for none. */
export function openShareOf(services: Services, share: SharedDocument | null): SharedDocument {
  const state = share ? stateOfShared(services, share) : 'ENDED';
  if (state === 'EXPIRED') throw new ServiceError('SHARE_EXPIRED');
  if (state === 'USED_UP') throw new ServiceError('SHARE_USED_UP');
  if (!share || state !== 'ACTIVE') throw new ServiceError('NOT_FOUND');
  return share;
}

/** The share of a token, in whatever state; null where there is none. */
export async function findShareOfToken(
  { vault }: Pick<ShareServices, 'vault'>,
  db: Db,
  token: string,
): Promise<SharedDocument | null> {
  return isShareToken(token) ? findShareByToken(db, shareTokenHash(vault, token)) : null;
}
