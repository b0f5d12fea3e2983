import { ServiceError } from '../../shared/errors.ts';

/** The ETag of a single resource: its version. */
export function formatVersionEtag(version: number): string {
  return `"${version}"`;
}

/** Throws PRECONDITION_FAILED when If-Match names none of this version (RFC 9110, 13.1.1). */
export function assertIfMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.includes('*') && !tags.includes(formatVersionEtag(version)))
    throw new ServiceError('PRECONDITION_FAILED');
}
