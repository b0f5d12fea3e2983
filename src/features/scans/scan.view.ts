import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { currentStatus } from '../qrcodes/qrcode.view.ts';
import type { ScanRow } from './scan.repository.ts';
import {
  SCAN_TYPES,
  type ScanDetails,
  type ScanItem,
  type ScanLocation,
  type ScanResult,
} from './scan-answers.schemas.ts';
import { SCAN_CLASSES } from './scan-class.rules.ts';
import type { ScanListRow } from './scan-list.repository.ts';
import type { LocationRow } from './scan-location.repository.ts';
import { openHeld, openLocation } from './scan-position.ts';
import { isUnlocked, type Shown, showCode } from './scanned-code.ts';

type Details = Static<typeof ScanDetails>;

/** A scan in a list. */
export function scanItemView(row: ScanListRow): Static<typeof ScanItem> {
  const { city, region, country } = row;
  return {
    id: row.id,
    qrCodeId: row.qrCodeId,
    ...stored(row),
    scannedAt: row.scannedAt.toISOString(),
    location: city || region || country ? { city, region, country } : null,
  };
}

/** The few facts of a scan that reveal nothing. */
export function publicFacts(row: ScanRow): Details {
  return {
    id: row.id,
    kind: row.qrCode.kind,
    scannedAt: row.scannedAt.toISOString(),
    status: currentStatus(row.qrCode),
  };
}

/** What an open code shows to the guest of this scan; a code that is paused, expired or deleted shows nothing. */
export function shownToGuest(fieldCipher: FieldCipher, row: ScanRow): Shown {
  const { qrCode: code } = row;
  const isOpen = ['ACTIVE', 'LOST'].includes(currentStatus(code));
  if (!isOpen) return { profile: null, pinRequired: false, contactable: code.contactable };
  return showCode(fieldCipher, code, isUnlocked(row, code));
}

/** A scan as it was answered when it was made. Throws DATA_INTEGRITY. */
export function scanFacts(fieldCipher: FieldCipher, row: ScanRow): Static<typeof ScanResult>['scan'] {
  const { id, qrCodeId, scannedAt } = row;
  return {
    id,
    qrCodeId,
    type: typeOf(row.type),
    scannedAt: scannedAt.toISOString(),
    location: openLocation(fieldCipher, row),
  };
}

/** What the guest who made the scan sees of it. Throws DATA_INTEGRITY. */
export function guestView(
  fieldCipher: FieldCipher,
  row: ScanRow,
  trail: readonly LocationRow[],
  shown: Shown,
): Details {
  return {
    ...publicFacts(row),
    ...scanFacts(fieldCipher, row),
    trail: trailView(fieldCipher, trail),
    ...shown,
  };
}

/** A position that was given after a scan, as it is answered. Throws DATA_INTEGRITY. */
export function locationView(fieldCipher: FieldCipher, row: LocationRow): Static<typeof ScanLocation> {
  return { id: row.id, scanId: row.scanId, ...trailPart(fieldCipher, row) };
}

/** The positions that were given after a scan. Throws DATA_INTEGRITY. */
export function trailView(fieldCipher: FieldCipher, trail: readonly LocationRow[]) {
  return trail.map((row) => trailPart(fieldCipher, row));
}

function trailPart(fieldCipher: FieldCipher, row: LocationRow) {
  return { ...openHeld(fieldCipher, row, 'scan_locations'), at: row.createdAt.toISOString() };
}

/** What the owner of the code sees: everything that is stored. Throws DATA_INTEGRITY. */
export function ownerView(fieldCipher: FieldCipher, row: ScanRow, trail: readonly LocationRow[]): Details {
  return {
    ...publicFacts(row),
    qrCodeId: row.qrCodeId,
    location: openLocation(fieldCipher, row),
    trail: trailView(fieldCipher, trail),
    ...stored(row),
  };
}

const HIDDEN = { latitude: null, longitude: null, accuracy: null, address: null };

/** What an administrator sees: everything but exact positions. */
export function administratorView(row: ScanRow, trail: readonly LocationRow[]): Details {
  const { city, region, country } = row;
  return {
    ...publicFacts(row),
    qrCodeId: row.qrCodeId,
    location: row.position ? { ...HIDDEN, city, region, country } : null,
    trail: trail.map(({ city, region, country, createdAt }) => ({
      ...{ ...HIDDEN, city, region, country },
      at: createdAt.toISOString(),
    })),
    ...stored(row),
  };
}

function stored(row: {
  type: string;
  class: string;
  classRule: string;
  unlockedAt: Date | null;
  ipTruncated: string;
  userAgent: string;
}) {
  return {
    type: typeOf(row.type),
    class: SCAN_CLASSES.find((name) => name === row.class) ?? ('HUMAN' as const),
    classRule: row.classRule,
    unlocked: row.unlockedAt !== null,
    ip: row.ipTruncated,
    userAgent: row.userAgent,
  };
}

function typeOf(stored: string): (typeof SCAN_TYPES)[number] {
  return SCAN_TYPES.find((type) => type === stored) ?? 'public';
}
