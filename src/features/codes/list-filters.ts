import { type Static, Type } from 'typebox';
import { createDateOrDateTimeSchema, Id, repeatable, stringEnum } from '../../shared/common.schemas.ts';
import { parseReferenceFilter, REFERENCE_FILTERS } from '../../shared/metadata.schemas.ts';
import { createSortParam } from '../../shared/pagination.ts';
import { createTimeRangeFilters, parseTimeRangeFilters } from '../../shared/time-filters.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import { FolderFilter } from './folders/folders.schemas.ts';
import { parseQrCodeKindFilter } from './qrcode-input.rules.ts';
import { QR_CODE_SORTS, type QrCodeListFilter } from './qrcode-list.repository.ts';
import { QR_CODE_STATUSES, QrCodeKindFilter } from './qrcodes.schemas.ts';

const MAX_TAG_NUMBER = 100_000;

/** Number of a tag in its batch. */
const TagNumber = Type.Integer({
  minimum: 1,
  maximum: MAX_TAG_NUMBER,
  description: 'With `batchId`: number of a tag, inclusive.',
});

/** Filters of the list of codes, and of what is made from it. */
export const QR_CODE_LIST_FILTERS = {
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Matches part of title or kind, case-insensitive, the whole external id, or the short number in any spelling.',
    }),
  ),
  kind: QrCodeKindFilter,
  folder: Type.Optional(FolderFilter),
  status: Type.Optional(repeatable(stringEnum(QR_CODE_STATUSES), 'Any of these statuses.')),
  ...REFERENCE_FILTERS,
  ...createTimeRangeFilters('created', 'createdAt'),
  ...createTimeRangeFilters('lastScanned', 'lastScannedAt'),
  notScannedSince: Type.Optional(
    createDateOrDateTimeSchema('Codes without a scan from this time on, those that were never scanned too.'),
  ),
  ...createTimeRangeFilters('expires', 'expiresAt'),
  batchId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Unclaimed tags of this batch.' })),
  tagFrom: Type.Optional(TagNumber),
  tagTo: Type.Optional(TagNumber),
};

export const QrCodeListFilters = Type.Object(QR_CODE_LIST_FILTERS);

/** The codes of a list, in its order. */
export const QrCodeListSelection = Type.Object({
  ...QR_CODE_LIST_FILTERS,
  sort: createSortParam(QR_CODE_SORTS),
});

/** Read the filters of a list; days are those of the time zone. @throws VALIDATION_FAILED for an unknown kind */
export function parseQrCodeListFilter(
  query: Static<typeof QrCodeListFilters>,
  timeZone: string,
): QrCodeListFilter {
  return {
    search: query.search?.trim().normalize('NFC'),
    kinds: parseQrCodeKindFilter(query.kind ?? []),
    folder: query.folder,
    statuses: query.status,
    created: parseTimeRangeFilters(query, 'created', timeZone),
    lastScanned: parseTimeRangeFilters(query, 'lastScanned', timeZone),
    notScannedSince: parseTimeRangeBound(query.notScannedSince, timeZone),
    expires: parseTimeRangeFilters(query, 'expires', timeZone),
    batch:
      query.batchId === undefined
        ? undefined
        : { id: query.batchId, from: query.tagFrom ?? 1, to: query.tagTo ?? MAX_TAG_NUMBER },
    ...parseReferenceFilter(query),
  };
}
