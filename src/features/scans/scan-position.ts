import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import { createValidationError } from '../../shared/errors.ts';

/** Where a scan was made, exactly: kept encrypted. */
export interface Position {
  /** Degrees (WGS 84). */
  latitude: number;
  longitude: number;
  /** Radius in metres; null where the client did not say. */
  accuracy: number | null;
  address: string | null;
}

/** What is kept in clear of where a scan was made. */
export interface Area {
  city: string | null;
  region: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

export type Location = Position & Area;

/** The tables that hold positions. */
type PositionTable = 'scans' | 'scan_locations';

/** What a client says of where it is; null is not given. */
export interface GivenPosition {
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  accuracy?: number | null | undefined;
}

/** Throws VALIDATION_FAILED for half a position: the schemas' `dependentRequired` is for readers, the validator ignores it. */
export function refuseHalfPosition({
  latitude = null,
  longitude = null,
  accuracy = null,
}: GivenPosition): void {
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
export async function locate(
  geocoder: Geocoder,
  given: GivenPosition,
  onFailure: (error: unknown) => void,
): Promise<Location | null> {
  const { latitude = null, longitude = null, accuracy = null } = given;
  if (latitude === null || longitude === null) return null;
  const place = await geocoder.locate(latitude, longitude).catch((error: unknown) => {
    onFailure(error);
    return null;
  });
  const { address = null, city = null, region = null, country = null } = place ?? {};
  return { latitude, longitude, accuracy, address, city, region, country };
}

/** A row that holds a position: a scan, or a part of its trail. */
interface Holder {
  id: string;
  ownerId: string;
}

/** Encrypts the exact part of a location for its scan, or for its row in a trail. */
export function sealPosition(
  fieldCipher: FieldCipher,
  holder: Holder,
  location: Location,
  table: PositionTable = 'scans',
): Buffer<ArrayBuffer> {
  const { latitude, longitude, accuracy, address } = location;
  return fieldCipher.seal(placeOf(holder, table, 'position'), {
    latitude,
    longitude,
    accuracy,
    address,
  } satisfies Position);
}

/** Where a scan was made; null where nobody said. Throws DATA_INTEGRITY when the row was altered. */
export function openLocation(
  fieldCipher: FieldCipher,
  scan: Area & Holder & { position: Uint8Array | null; address: Uint8Array | null },
): Location | null {
  return (
    scan.position && located(scan, openPosition(fieldCipher, scan, scan.position, scan.address, 'scans'))
  );
}

/** Where a row of either table says that it was. Throws DATA_INTEGRITY when the row was altered. */
export function openHeld(
  fieldCipher: FieldCipher,
  row: Area & Holder & { position: Uint8Array; address: Uint8Array | null },
  table: PositionTable,
): Location {
  return located(row, openPosition(fieldCipher, row, row.position, row.address, table));
}

/**
 * The exact part of where a row was. Throws DATA_INTEGRITY when the row was altered. Built field by field: V8 makes a
 * hidden class for each object that a spread is part of, and over many rows those pile up until it collects everything.
 */
export function openPosition(
  fieldCipher: FieldCipher,
  holder: Holder,
  position: Uint8Array,
  address: Uint8Array | null,
  table: PositionTable,
): Position {
  const known = fieldCipher.open<Position>(placeOf(holder, table, 'position'), position);
  // A server's knows the street.
  const named = address && fieldCipher.open<string>(placeOf(holder, table, 'address'), address);
  const { latitude, longitude, accuracy } = known;
  return { latitude, longitude, accuracy, address: named ?? known.address };
}

function located({ city, region, country }: Area, position: Position): Location {
  return { ...position, city, region, country };
}

/** Encrypts an address that is kept beside a position. */
export function sealAddress(
  fieldCipher: FieldCipher,
  holder: Holder,
  address: string,
  table: PositionTable,
): Buffer<ArrayBuffer> {
  return fieldCipher.seal(placeOf(holder, table, 'address'), address);
}

function placeOf({ id, ownerId }: Holder, table: PositionTable, column: 'position' | 'address') {
  return { table, column, rowId: id, ownerId };
}
