import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import { createValidationError } from '../../shared/errors.ts';

/** Where a scan was made, exactly: kept encrypted. */
export interface ExactPosition {
  /** Degrees (WGS 84). */
  latitude: number;
  longitude: number;
  /** Radius in metres; null where the client did not say. */
  accuracy: number | null;
  address: string | null;
}

/** What is kept in clear of where a scan was made. */
export interface ScanArea {
  city: string | null;
  region: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

export type ScanPlace = ExactPosition & ScanArea;

/** The tables that hold positions. */
type PositionTable = 'scans' | 'scan_locations';

/** What a client says of where it is; null is not given. */
export interface PositionInput {
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  accuracy?: number | null | undefined;
}

/** Throws VALIDATION_FAILED for half a position: the schemas' `dependentRequired` is for readers, the validator ignores it. */
export function assertCompletePosition({
  latitude = null,
  longitude = null,
  accuracy = null,
}: PositionInput): void {
  if (latitude === null && longitude === null && accuracy === null) return;
  const missing = Object.entries({ latitude, longitude }).filter(([, value]) => value === null);
  const message = 'Latitude and longitude are given together.';
  if (missing.length > 0)
    throw createValidationError(...missing.map(([field]) => ({ field, code: 'REQUIRED', message })));
}

/**
 * A position with what it is called; null where none was given. A geocoder that fails leaves the names null,
 * and `onFailure` hears of it.
 */
export async function geocodePosition(
  geocoder: Geocoder,
  input: PositionInput,
  onFailure: (error: unknown) => void,
): Promise<ScanPlace | null> {
  const { latitude = null, longitude = null, accuracy = null } = input;
  if (latitude === null || longitude === null) return null;
  const place = await geocoder.reverseGeocode(latitude, longitude).catch((error: unknown) => {
    onFailure(error);
    return null;
  });
  const { address = null, city = null, region = null, country = null } = place ?? {};
  return { latitude, longitude, accuracy, address, city, region, country };
}

/** A row that holds a position: a scan, or a part of its trail. */
interface PositionOwner {
  id: string;
  ownerId: string;
}

/** Encrypts the exact part of a location for its scan, or for its row in a trail. */
export function encryptPosition(
  fieldCipher: FieldCipher,
  owner: PositionOwner,
  location: ScanPlace,
  table: PositionTable = 'scans',
): Buffer<ArrayBuffer> {
  const { latitude, longitude, accuracy, address } = location;
  return fieldCipher.encrypt(toFieldLocation(owner, table, 'position'), {
    latitude,
    longitude,
    accuracy,
    address,
  } satisfies ExactPosition);
}

/** Where a scan was made; null where nobody said. Throws DATA_INTEGRITY when the row was altered. */
export function decryptScanLocation(
  fieldCipher: FieldCipher,
  scan: ScanArea & PositionOwner & { position: Uint8Array | null; address: Uint8Array | null },
): ScanPlace | null {
  return (
    scan.position &&
    toLocation(scan, decryptPosition(fieldCipher, scan, scan.position, scan.address, 'scans'))
  );
}

/** Where a row of either table says that it was. Throws DATA_INTEGRITY when the row was altered. */
export function decryptRowLocation(
  fieldCipher: FieldCipher,
  row: ScanArea & PositionOwner & { position: Uint8Array; address: Uint8Array | null },
  table: PositionTable,
): ScanPlace {
  return toLocation(row, decryptPosition(fieldCipher, row, row.position, row.address, table));
}

/**
 * The exact part of where a row was. Throws DATA_INTEGRITY when the row was altered. Built field by field: V8 makes a
 * hidden class for each object that a spread is part of, and over many rows those pile up until it collects everything.
 */
export function decryptPosition(
  fieldCipher: FieldCipher,
  owner: PositionOwner,
  position: Uint8Array,
  address: Uint8Array | null,
  table: PositionTable,
): ExactPosition {
  const decrypted = fieldCipher.decrypt<ExactPosition>(toFieldLocation(owner, table, 'position'), position);
  // A server's knows the street.
  const named = address && fieldCipher.decrypt<string>(toFieldLocation(owner, table, 'address'), address);
  const { latitude, longitude, accuracy } = decrypted;
  return { latitude, longitude, accuracy, address: named ?? decrypted.address };
}

function toLocation({ city, region, country }: ScanArea, position: ExactPosition): ScanPlace {
  return { ...position, city, region, country };
}

/** Encrypts an address that is kept beside a position. */
export function encryptAddress(
  fieldCipher: FieldCipher,
  owner: PositionOwner,
  address: string,
  table: PositionTable,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(toFieldLocation(owner, table, 'address'), address);
}

function toFieldLocation(
  { id, ownerId }: PositionOwner,
  table: PositionTable,
  column: 'position' | 'address',
) {
  return { table, column, rowId: id, ownerId };
}
