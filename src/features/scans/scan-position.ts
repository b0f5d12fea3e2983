import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { FieldError } from '../../shared/errors.ts';

export interface ExactPosition {
  /** Degrees (WGS 84). */
  latitude: number;
  longitude: number;
  /** Radius in meters; null when unknown. */
  accuracy: number | null;
  address: string | null;
}

export interface ScanArea {
  city: string | null;
  region: string | null;
  country: string | null;
}

export type GeocodedPosition = ExactPosition & ScanArea;

type PositionTable = 'scans' | 'scan_locations';

export interface PositionInput {
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  accuracy?: number | null | undefined;
}

/** The validator ignores `dependentRequired` of the schemas; clients may send null for what they do not know. */
export function findPositionErrors({
  latitude = null,
  longitude = null,
  accuracy = null,
}: PositionInput): FieldError[] {
  if (latitude === null && longitude === null && accuracy === null) return [];
  const missing = Object.entries({ latitude, longitude }).filter(([, value]) => value === null);
  const message = 'Latitude and longitude are given together.';
  return missing.map(([field]) => ({ field, code: 'REQUIRED', message }));
}

/** When the geocoder fails, names are null and `onFailure` is called. */
export async function reverseGeocodePosition(
  geocoder: Geocoder,
  input: PositionInput,
  onFailure: (error: unknown) => void,
): Promise<GeocodedPosition | null> {
  const { latitude = null, longitude = null, accuracy = null } = input;
  if (latitude === null || longitude === null) return null;
  const place = await geocoder.reverseGeocode(latitude, longitude).catch((error: unknown) => {
    onFailure(error);
    return null;
  });
  const { address = null, city = null, region = null, country = null } = place ?? {};
  return { latitude, longitude, accuracy, address, city, region, country };
}

interface PositionOwner {
  id: string;
  accountId: string;
}

export function encryptExactPosition(
  fieldCipher: FieldCipher,
  owner: PositionOwner,
  location: GeocodedPosition,
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

/** Null without a position. @throws DATA_INTEGRITY */
export function decryptScanLocation(
  fieldCipher: FieldCipher,
  scan: ScanArea & PositionOwner & { position: Uint8Array | null; address: Uint8Array | null },
): GeocodedPosition | null {
  return (
    scan.position &&
    toLocation(scan, decryptExactPosition(fieldCipher, scan, scan.position, scan.address, 'scans'))
  );
}

/** @throws DATA_INTEGRITY */
export function decryptPositionRow(
  fieldCipher: FieldCipher,
  row: ScanArea & PositionOwner & { position: Uint8Array; address: Uint8Array | null },
  table: PositionTable,
): GeocodedPosition {
  return toLocation(row, decryptExactPosition(fieldCipher, row, row.position, row.address, table));
}

/** Built field by field: spreads create hidden classes in V8 that accumulate. @throws DATA_INTEGRITY */
export function decryptExactPosition(
  fieldCipher: FieldCipher,
  owner: PositionOwner,
  position: Uint8Array,
  address: Uint8Array | null,
  table: PositionTable,
): ExactPosition {
  const decrypted = fieldCipher.decrypt<ExactPosition>(toFieldLocation(owner, table, 'position'), position);
  // Addresses of the geocoding server include the street.
  const exactAddress =
    address && fieldCipher.decrypt<string>(toFieldLocation(owner, table, 'address'), address);
  const { latitude, longitude, accuracy } = decrypted;
  return { latitude, longitude, accuracy, address: exactAddress ?? decrypted.address };
}

function toLocation({ city, region, country }: ScanArea, position: ExactPosition): GeocodedPosition {
  return { ...position, city, region, country };
}

export function encryptPositionAddress(
  fieldCipher: FieldCipher,
  owner: PositionOwner,
  address: string,
  table: PositionTable,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(toFieldLocation(owner, table, 'address'), address);
}

function toFieldLocation(
  { id, accountId }: PositionOwner,
  table: PositionTable,
  column: 'position' | 'address',
) {
  return { table, column, rowId: id, ownerId: accountId };
}
