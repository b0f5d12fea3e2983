import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { serializeError } from '../../platform/http/error-log.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { isFinderBlocked } from '../conversations/blocked-finder.repository.ts';
import { computeFinderHash } from '../conversations/finder-hash.ts';
import { currentStatus } from '../qrcodes/qrcode.view.ts';
import type { ScanRow } from './scan.repository.ts';
import {
  countLocations,
  findLocation,
  insertLocation,
  type LocationRow,
  placeScan,
} from './scan-location.repository.ts';
import { type GivenPosition, type Location, locate, sealPosition } from './scan-position.ts';
import { queryIn } from './scan-query.ts';
import type { ScanServices } from './scan-services.ts';
import { holdCode } from './scanned-code.repository.ts';
import { findOpenCode } from './scanned-code.ts';
import { holdSpans, noteStaleSpans } from './stale-spans.repository.ts';

/** Positions of one trail. */
export const LONGEST_TRAIL = 20;

/** A position of a trail, and whether it was there already. */
export interface AddedLocation {
  row: LocationRow;
  isNew: boolean;
}

/**
 * Adds a position to the trail of a scan; the same again is the one that is there. A scan that has no position gets the
 * first as its own. Throws NOT_CONTACTABLE for a finder whom the owner blocks; TRAIL_CLOSED beyond 20 positions or 24 hours; NOT_FOUND, CODE_PAUSED, CODE_EXPIRED for a
 * code that closed meanwhile; BUSY.
 */
export async function addLocation(
  services: ScanServices,
  context: RequestContext,
  scan: ScanRow,
  given: Required<GivenPosition> & { latitude: number; longitude: number },
): Promise<AddedLocation> {
  const { database, fieldCipher } = services;
  const { ownerId } = scan;
  if (await isFinderBlocked(database.client, ownerId, computeFinderHash(fieldCipher, context, ownerId)))
    throw new ServiceError('NOT_CONTACTABLE');
  const positionHash = hashOf(fieldCipher, scan.id, given);
  const known = await findLocation(database.client, scan.id, positionHash);
  if (known) return { row: known, isNew: false };
  if (Date.now() - scan.scannedAt.getTime() > LIFETIMES_SECONDS.scanTrail * 1000)
    throw new ServiceError('TRAIL_CLOSED');
  const location = await locate(services.geocoder, given, (error) =>
    services.log.warn(
      { requestId: context.requestId, error: serializeError(error) },
      'a position could not be named',
    ),
  );
  if (!location) throw new Error('A position without coordinates.');
  return services.scanQueue(() =>
    database.transaction((tx) => store(services, context, tx, scan, location, positionHash)),
  );
}

async function store(
  services: ScanServices,
  context: RequestContext,
  tx: Tx,
  scan: ScanRow,
  location: Location,
  positionHash: Buffer<ArrayBuffer>,
): Promise<AddedLocation> {
  const { fieldCipher } = services;
  const { id: scanId, ownerId } = scan;
  // A position that is there stays there; the locks of spans come first, as in whatever stores scans.
  if (!scan.position) await holdSpans(queryIn(tx), [scan]);
  await holdCode(tx, scan.qrCodeId);
  const code = await findOpenCode(tx, scan.qrCodeId);
  const known = await findLocation(tx, scanId, positionHash);
  if (known) return { row: known, isNew: false };
  if ((await countLocations(tx, scanId)) >= LONGEST_TRAIL) throw new ServiceError('TRAIL_CLOSED');
  const { city, region, country } = location;
  const id = generateId();
  const position = sealPosition(fieldCipher, { id, ownerId }, location, 'scan_locations');
  const made = { id, scanId, ownerId, position, city, region, country };
  const { told, createdAt } = await insertLocation(tx, { ...made, positionHash });
  if (!scan.position) {
    const own = sealPosition(fieldCipher, scan, location);
    if (await placeScan(tx, scanId, { position: own, city, region, country })) {
      await noteStaleSpans(queryIn(tx), [scan]);
      await services.requestGeocoding?.(tx, { table: 'scans', id: scanId });
    }
  }
  await services.requestGeocoding?.(tx, { table: 'scan_locations', id });
  if (told) {
    const isLost = currentStatus(code) === 'LOST';
    const place = city ?? region ?? country;
    await services.notifyLocation(tx, {
      ...{ ownerId, scanId, qrCodeId: code.id, title: code.title },
      ...{ isLost, place, locationId: id },
    });
  }
  await recordAuditEntry(tx, context, { resourceId: scanId });
  return { row: { ...made, address: null, createdAt }, isNew: true };
}

/** By which the same position of the same scan is known again. */
function hashOf(fieldCipher: FieldCipher, scanId: string, given: { latitude: number; longitude: number }) {
  // 0 and -0 are one place.
  const [latitude, longitude] = [given.latitude + 0, given.longitude + 0];
  return fieldCipher.hash('scan-location', scanId, `${latitude},${longitude}`);
}
