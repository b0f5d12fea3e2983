import type { Vault } from '../../platform/vault.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import { invalidFields } from '../../shared/errors.ts';

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
    throw invalidFields(...missing.map(([field]) => ({ field, code: 'REQUIRED', message })));
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

/** Encrypts the exact part of a location for its scan. */
export function sealPosition(
  vault: Vault,
  scan: { id: string; ownerId: string },
  location: Location,
): Buffer<ArrayBuffer> {
  const { latitude, longitude, accuracy, address } = location;
  return vault.seal(placeOf(scan), { latitude, longitude, accuracy, address } satisfies Position);
}

/** Where a scan was made; null where nobody said. Throws DATA_INTEGRITY when the row was altered. */
export function openLocation(
  vault: Vault,
  scan: Area & { id: string; ownerId: string; position: Uint8Array | null },
): Location | null {
  if (!scan.position) return null;
  const { city, region, country } = scan;
  return { ...vault.open<Position>(placeOf(scan), scan.position), city, region, country };
}

function placeOf({ id, ownerId }: { id: string; ownerId: string }) {
  return { table: 'scans', column: 'position', rowId: id, ownerId };
}
