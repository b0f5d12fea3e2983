import { getMinIdAt } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { getCurrentStatus } from '../codes/index.ts';

/** Policy of the operator for codes of kind URL: which must show their page before the target. */
export type UrlPagePolicy = 'never' | 'young' | 'always';

interface UrlCode {
  ownerId: string;
  showsPage: boolean;
  status: string;
  expiresAt: Date | null;
}

/**
 * Whether a scan of a URL code redirects without a page. Owners can request the page, lost things always show it, and
 * `young` shows it for codes of new accounts, which may be used for phishing.
 */
export function shouldRedirectImmediately(code: UrlCode, policy: UrlPagePolicy, now: Date): boolean {
  if (code.showsPage || policy === 'always' || getCurrentStatus(code) === 'LOST') return false;
  // Ids contain the creation time.
  const youngAccountIdLimit = getMinIdAt(new Date(now.getTime() - LIFETIMES_SECONDS.newAccount * 1000));
  return policy === 'never' || code.ownerId < youngAccountIdLimit;
}
