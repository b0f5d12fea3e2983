import { getMinIdAt } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { currentStatus } from '../qrcodes/qrcode.view.ts';

/** Whose codes of kind URL show their page first, whatever their owners say. */
export type UrlPage = 'never' | 'young' | 'always';

interface Code {
  ownerId: string;
  showsPage: boolean;
  status: string;
  expiresAt: Date | null;
}

/**
 * Whether whoever scans a code of kind URL goes on at once. The page is shown where its owner wants it, for a thing that is
 * lost, and where the operator says so: `young` is for accounts of which nobody can know yet what they print codes for.
 */
export function goesOnAtOnce(code: Code, urlPage: UrlPage, now: Date): boolean {
  if (code.showsPage || urlPage === 'always' || currentStatus(code) === 'LOST') return false;
  // An id says when it was made.
  const young = getMinIdAt(new Date(now.getTime() - LIFETIMES_SECONDS.youngAccount * 1000));
  return urlPage === 'never' || code.ownerId < young;
}
