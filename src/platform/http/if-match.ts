import { ServiceError } from '../../shared/errors.ts';

export function formatVersionEtag(version: number): string {
  return `"${version}"`;
}

/** Check If-Match (RFC 9110, section 13.1.1); throws PRECONDITION_FAILED. */
export function assertIfMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.includes('*') && !tags.includes(formatVersionEtag(version)))
    throw new ServiceError('PRECONDITION_FAILED');
}
