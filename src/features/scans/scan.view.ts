import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { getCurrentQrCodeStatus } from '../codes/index.ts';
import type { ScanWithQrCode } from './scan.repository.ts';
import {
  SCAN_TYPES,
  type ScanDetails,
  type ScanItem,
  type ScanLocation,
  type ScanResult,
} from './scan-answers.schemas.ts';
import { parseScanClass } from './scan-class.rules.ts';
import type { ScanListRow } from './scan-list.repository.ts';
import type { ScanLocationRow } from './scan-location.repository.ts';
import { decryptPositionRow, decryptScanLocation } from './scan-position.ts';
import {
  getQrCodeFacts,
  getVisibleQrCodeContent,
  isScanUnlocked,
  type VisibleQrCodeContent,
} from './scanned-code.ts';

type ScanDetailsView = Static<typeof ScanDetails>;

export function toScanItemView(
  row: ScanListRow,
  code: { kind: string; title: string; status: string; expiresAt: Date | null },
): Static<typeof ScanItem> {
  const { city, region, country } = row;
  return {
    id: row.id,
    qrCodeId: row.qrCodeId,
    kind: code.kind,
    title: code.title,
    status: getCurrentQrCodeStatus(code),
    ...toStoredFields(row),
    scannedAt: row.scannedAt.toISOString(),
    location: city || region || country ? { city, region, country } : null,
  };
}

export function toPublicScanView(row: ScanWithQrCode): ScanDetailsView {
  return {
    id: row.id,
    kind: row.qrCode.kind,
    scannedAt: row.scannedAt.toISOString(),
    status: getCurrentQrCodeStatus(row.qrCode),
  };
}

/** Empty for a paused, expired or deleted code. */
export function getGuestScanContent(
  services: { fieldCipher: FieldCipher; publicBaseUrl: string },
  row: ScanWithQrCode,
): VisibleQrCodeContent {
  const { qrCode: code } = row;
  const isOpen = ['ACTIVE', 'LOST'].includes(getCurrentQrCodeStatus(code));
  if (!isOpen) return { profile: null, pictures: [], pinRequired: false, contactable: code.contactable };
  return getVisibleQrCodeContent(services, code, isScanUnlocked(row, code));
}

/** @throws DATA_INTEGRITY */
export function toScanSummary(
  fieldCipher: FieldCipher,
  row: ScanWithQrCode,
): Static<typeof ScanResult>['scan'] {
  const { id, qrCodeId, scannedAt } = row;
  return {
    id,
    qrCodeId,
    type: parseScanType(row.type),
    scannedAt: scannedAt.toISOString(),
    location: decryptScanLocation(fieldCipher, row),
  };
}

/** @throws DATA_INTEGRITY */
export function toGuestScanView(
  fieldCipher: FieldCipher,
  row: ScanWithQrCode,
  trail: readonly ScanLocationRow[],
  content: VisibleQrCodeContent,
): ScanDetailsView {
  return {
    ...toPublicScanView(row),
    ...toScanSummary(fieldCipher, row),
    ...getQrCodeFacts(fieldCipher, row.qrCode),
    trail: toScanTrailView(fieldCipher, trail),
    ...content,
  };
}

export function toScanLocationView(
  fieldCipher: FieldCipher,
  row: ScanLocationRow,
): Static<typeof ScanLocation> {
  return { id: row.id, scanId: row.scanId, ...toTrailPart(fieldCipher, row) };
}

function toScanTrailView(fieldCipher: FieldCipher, trail: readonly ScanLocationRow[]) {
  return trail.map((row) => toTrailPart(fieldCipher, row));
}

function toTrailPart(fieldCipher: FieldCipher, row: ScanLocationRow) {
  return {
    ...decryptPositionRow(fieldCipher, row, 'scan_locations'),
    createdAt: row.createdAt.toISOString(),
  };
}

/** @throws DATA_INTEGRITY */
export function toOwnerScanView(
  fieldCipher: FieldCipher,
  row: ScanWithQrCode,
  trail: readonly ScanLocationRow[],
): ScanDetailsView {
  return {
    ...toPublicScanView(row),
    ...getQrCodeFacts(fieldCipher, row.qrCode),
    title: row.qrCode.title,
    qrCodeId: row.qrCodeId,
    location: decryptScanLocation(fieldCipher, row),
    trail: toScanTrailView(fieldCipher, trail),
    ...toStoredFields(row),
  };
}

const HIDDEN_POSITION = { latitude: null, longitude: null, accuracy: null, address: null };

export function toAdministratorScanView(
  row: ScanWithQrCode,
  trail: readonly ScanLocationRow[],
): ScanDetailsView {
  const { city, region, country } = row;
  return {
    ...toPublicScanView(row),
    qrCodeId: row.qrCodeId,
    location: row.position ? { ...HIDDEN_POSITION, city, region, country } : null,
    trail: trail.map(({ city, region, country, createdAt }) => ({
      ...HIDDEN_POSITION,
      city,
      region,
      country,
      createdAt: createdAt.toISOString(),
    })),
    ...toStoredFields(row),
  };
}

function toStoredFields(row: {
  type: string;
  class: string;
  classRule: string;
  unlockedAt: Date | null;
  ipTruncated: string;
  userAgent: string;
}) {
  return {
    type: parseScanType(row.type),
    class: parseScanClass(row.class),
    classRule: row.classRule,
    unlocked: row.unlockedAt !== null,
    ip: row.ipTruncated,
    userAgent: row.userAgent,
  };
}

function parseScanType(stored: string): (typeof SCAN_TYPES)[number] {
  return SCAN_TYPES.find((type) => type === stored) ?? 'public';
}
