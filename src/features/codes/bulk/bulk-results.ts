import type { Static } from 'typebox';
import { listIgnoredNameWarnings } from '../../../platform/http/unknown-fields.ts';
import { ServiceError } from '../../../shared/errors.ts';
import {
  getQrCodeImageUrl,
  getQrCodeScanUrl,
  listQrCodeWarnings,
  type QrCodeContent,
  type QrCodeViewContext,
} from '../qrcode.view.ts';
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
  return {
    index,
    outcome: 'FAILED',
    id: null,
    externalId,
    scanUrl: null,
    imageUrl: null,
    warnings: [],
    error: null,
  };
}

export function toFailedResult(
  result: BulkItemResult,
  { code, message, errors = [] }: ServiceError,
): BulkItemResult {
  return { ...result, error: { code, detail: message, errors } };
}

/** The content of the row is decrypted if it is not given. @throws DATA_INTEGRITY */
export function toSuccessfulResult(
  services: QrCodeViewContext,
  result: BulkItemResult,
  outcome: BulkItemResult['outcome'],
  row: Parameters<typeof listQrCodeWarnings>[1] & { id: string; imageFile: string | null },
  content?: QrCodeContent,
): BulkItemResult {
  const { publicBaseUrl } = services;
  return {
    ...result,
    outcome,
    id: row.id,
    scanUrl: getQrCodeScanUrl(publicBaseUrl, row.id),
    imageUrl: getQrCodeImageUrl(publicBaseUrl, row.imageFile),
    warnings: listQrCodeWarnings(services, row, content),
  };
}

/** Complete the results of items with the names that were ignored in them. */
export function toBulkResult(results: readonly BulkItemResult[], items: readonly unknown[]): BulkResult {
  const data = results.map((result, index) => ({
    ...result,
    warnings: [...result.warnings, ...listIgnoredNameWarnings(Object(items[index]))],
  }));
  return { data, counts: countOutcomes(results) };
}

function countOutcomes(results: readonly BulkItemResult[]): BulkResult['counts'] {
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
