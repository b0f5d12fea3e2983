import type { QrCodeListRow } from '../../codes/index.ts';

const CREATED_AT = new Date('2026-01-02T10:00:00Z');

const SAMPLE_ROW: QrCodeListRow = {
  id: '0123456789abcdef01234567',
  accountId: '0123456789abcdef01234567',
  kind: 'PET',
  mode: 'DYNAMIC',
  title: 'Rex',
  searchText: 'rex',
  slug: 'rex',
  externalId: null,
  shortNumber: null,
  metadata: {},
  folderId: null,
  status: 'ACTIVE',
  takenDownAt: null,
  imageFile: null,
  hasPin: false,
  contactable: true,
  showsPage: true,
  notifyOn: 'ALL',
  scanCount: 0n,
  humanCount: 0n,
  uniqueCount: 0n,
  lastScannedAt: null,
  expiresAt: null,
  version: 1,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  deletedAt: null,
};

/** Rows of a table: with little, with much, and in the other direction of writing. */
export const SAMPLE_ROWS: readonly QrCodeListRow[] = [
  SAMPLE_ROW,
  {
    ...SAMPLE_ROW,
    id: '0123456789abcdef01234568',
    kind: 'LUGGAGE',
    title: 'Donaudampfschifffahrtsgesellschaftskapitänskoffer',
    externalId: 'CASE-0001',
    shortNumber: '0123456789AB',
    status: 'LOST',
    scanCount: 1_234n,
    lastScannedAt: CREATED_AT,
  },
  { ...SAMPLE_ROW, id: '0123456789abcdef01234569', kind: 'CAR', title: 'سيارة العائلة', status: 'PAUSED' },
];
