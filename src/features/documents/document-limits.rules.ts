/** Versions of a document, at most. */
export const MAX_DOCUMENT_VERSIONS = 20;

/**
 * Bytes that a file may have: a tenth of what the package stores, so that one file does not take all of it, and never more
 * than the operator allows.
 */
export function getMaxFileBytes(storageBytes: number | null | undefined, maxDocumentBytes: number): number {
  return Math.min(maxDocumentBytes, Math.floor((storageBytes ?? Number.POSITIVE_INFINITY) / 10));
}
