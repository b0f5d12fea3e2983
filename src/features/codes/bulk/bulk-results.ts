import type { Static } from 'typebox';
import { ServiceError } from '../../../shared/errors.ts';
import { getQrCodeImageUrl, getQrCodeScanUrl } from '../qrcode.view.ts';
import type { BulkQrCodeItem, BulkQrCodeResult } from './bulk.schemas.ts';

export type BulkItemResult = Static<typeof BulkQrCodeItem>;

export type BulkResult = Static<typeof BulkQrCodeResult>;

/** Store the error of an item as its result. Errors of the service itself fail the request. */
export async function catchItemError(
  results: BulkItemResult[],
  index: number,
  work: () => void | Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.statusCode >= 500 || error.statusCode === 429) throw error;
    results[index] = toFailedResult(createResult(index, results[index]?.externalId ?? null), error);
  }
}

export function findExternalId(item: unknown): string | null {
  const externalId: unknown = Reflect.get(Object(item), 'externalId');
  return typeof externalId === 'string' ? externalId : null;
}

export function createResult(index: number, externalId: string | null): BulkItemResult {
  return { index, outcome: 'FAILED', id: null, externalId, scanUrl: null, imageUrl: null, error: null };
}

export function toFailedResult(
  result: BulkItemResult,
  { code, message, errors = [] }: ServiceError,
): BulkItemResult {
  return { ...result, error: { code, detail: message, errors } };
}

export function toSuccessfulResult(
  { publicBaseUrl }: { publicBaseUrl: string },
  result: BulkItemResult,
  outcome: BulkItemResult['outcome'],
  { id, imageFile }: { id: string; imageFile: string | null },
): BulkItemResult {
  return {
    ...result,
    outcome,
    id,
    scanUrl: getQrCodeScanUrl(publicBaseUrl, id),
    imageUrl: getQrCodeImageUrl(publicBaseUrl, imageFile),
  };
}

export function countOutcomes(results: readonly BulkItemResult[]): BulkResult['counts'] {
  const count = (outcome: BulkItemResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    created: count('CREATED'),
    updated: count('UPDATED'),
    unchanged: count('UNCHANGED'),
    deleted: count('DELETED'),
    failed: count('FAILED'),
  };
}
