import { ServiceError } from '../../shared/errors.ts';
import { matchesEntityTag } from './conditional-request.rules.ts';

export function formatVersionEtag(version: number): string {
  return `"${version}"`;
}

/**
 * Check If-Match (RFC 9110, section 13.1.1). Weak tags count, unlike there: a proxy that compresses makes the tag weak,
 * and it names the version of the record, not the bytes of a response. @throws PRECONDITION_FAILED
 */
export function assertIfMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (!matchesEntityTag(ifMatch, formatVersionEtag(version))) throw new ServiceError('PRECONDITION_FAILED');
}
