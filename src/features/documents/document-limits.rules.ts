export const MAX_DOCUMENT_VERSIONS = 20;

/** A tenth of the storage quota, so that one file cannot fill it, capped by the operator. */
export function computeMaxDocumentFileBytes(
  storageBytes: number | null | undefined,
  maxDocumentBytes: number,
): number {
  return Math.min(maxDocumentBytes, Math.floor((storageBytes ?? Number.POSITIVE_INFINITY) / 10));
}
