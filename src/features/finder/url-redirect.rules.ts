import { getMinIdAt } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { getCurrentStatus } from '../codes/index.ts';

/** Whose codes of kind URL show their page first, whatever their owners say. */
export type UrlPagePolicy = 'never' | 'young' | 'always';

interface UrlCode {
  ownerId: string;
  showsPage: boolean;
  status: string;
  expiresAt: Date | null;
}

/**
 * Whether whoever scans a code of kind URL goes on at once. The page is shown where its owner wants it, for a thing that is
 * lost, and where the operator says so: `young` is for accounts of which nobody can know yet what they print codes for.
 */
export function shouldRedirectImmediately(code: UrlCode, policy: UrlPagePolicy, now: Date): boolean {
  if (code.showsPage || policy === 'always' || getCurrentStatus(code) === 'LOST') return false;
  // An id says when it was made.
  const youngAccountIdLimit = getMinIdAt(new Date(now.getTime() - LIFETIMES_SECONDS.newAccount * 1000));
  return policy === 'never' || code.ownerId < youngAccountIdLimit;
}
