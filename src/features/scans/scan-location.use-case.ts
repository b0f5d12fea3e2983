import { recordAuditEntry } from '../../platform/audit.ts';
import { runAfterCommit, type Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { serializeErrorForLog } from '../../platform/http/error-log.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { getCurrentQrCodeStatus } from '../codes/index.ts';
import { isFinderBlocked } from './blocked-finder.repository.ts';
import { lockScanBuckets, markScanBucketsDirty } from './dirty-buckets.repository.ts';
import { computeFinderHash } from './finder-hash.ts';
import type { ScanWithQrCode } from './scan.repository.ts';
import {
  countScanLocations,
  findScanLocation,
  insertScanLocation,
  type ScanLocationRow,
  setScanPosition,
} from './scan-location.repository.ts';
import {
  encryptExactPosition,
  type GeocodedPosition,
  type PositionInput,
  reverseGeocodePosition,
} from './scan-position.ts';
import type { ScanServices } from './scan-services.ts';
import { lockQrCodeForScan } from './scanned-code.repository.ts';
import { getOpenQrCode } from './scanned-code.ts';

const MAX_SCAN_TRAIL_POSITIONS = 20;

export interface AddScanLocationResult {
  row: ScanLocationRow;
  isNew: boolean;
}

/**
 * An equal position is returned unchanged.
 * @throws NOT_CONTACTABLE for a blocked finder; LOCATION_TRAIL_CLOSED after 20 positions or 24 hours; BUSY;
 * NOT_FOUND, CODE_PAUSED, CODE_EXPIRED when the code was closed meanwhile
 */
export async function addScanLocation(
  services: ScanServices,
  context: RequestContext,
  scan: ScanWithQrCode,
  input: Required<PositionInput> & { latitude: number; longitude: number },
): Promise<AddScanLocationResult> {
  const { database, fieldCipher } = services;
  const { accountId } = scan;
  if (await isFinderBlocked(database.client, accountId, computeFinderHash(fieldCipher, context, accountId)))
    throw new ServiceError('NOT_CONTACTABLE');
  const positionHash = hashPosition(fieldCipher, scan.id, input);
  const existing = await findScanLocation(database.client, scan, positionHash);
  if (existing) return { row: existing, isNew: false };
  if (Date.now() - scan.scannedAt.getTime() > LIFETIMES_SECONDS.scanTrail * 1000)
    throw new ServiceError('LOCATION_TRAIL_CLOSED');
  const location = await reverseGeocodePosition(services.geocoder, input, (error) =>
    services.log.warn(
      { requestId: context.requestId, error: serializeErrorForLog(error) },
      'geocoding a position failed',
    ),
  );
  if (!location) throw new Error('A position without coordinates.');
  return services.scanLimiter(() =>
    database.transaction((tx) => storeLocation(services, context, tx, scan, location, positionHash)),
  );
}

async function storeLocation(
  services: ScanServices,
  context: RequestContext,
  tx: Tx,
  scan: ScanWithQrCode,
  location: GeocodedPosition,
  positionHash: Buffer<ArrayBuffer>,
): Promise<AddScanLocationResult> {
  const { fieldCipher } = services;
  const { id: scanId, accountId } = scan;
  // Lock buckets first, as for new scans.
  if (!scan.position) await lockScanBuckets(tx, [scan]);
  await lockQrCodeForScan(tx, scan.qrCodeId);
  const code = await getOpenQrCode(tx, scan.qrCodeId);
  const existing = await findScanLocation(tx, scan, positionHash);
  if (existing) return { row: existing, isNew: false };
  if ((await countScanLocations(tx, scan)) >= MAX_SCAN_TRAIL_POSITIONS)
    throw new ServiceError('LOCATION_TRAIL_CLOSED');
  const { city, region, country } = location;
  const id = generateId();
  const position = encryptExactPosition(fieldCipher, { id, accountId }, location, 'scan_locations');
  const fields = { id, scanId, accountId, position, city, region, country };
  const { ownerNotified: isNotificationDue, createdAt } = await insertScanLocation(tx, {
    ...fields,
    positionHash,
  });
  if (!scan.position) {
    const own = encryptExactPosition(fieldCipher, scan, location);
    if (await setScanPosition(tx, scan, { position: own, city, region, country })) {
      await markScanBucketsDirty(tx, [scan]);
      await services.requestGeocoding?.(tx, { table: 'scans', id: scanId });
    }
  }
  await services.requestGeocoding?.(tx, { table: 'scan_locations', id });
  if (isNotificationDue) {
    const isLost = getCurrentQrCodeStatus(code) === 'LOST';
    const place = city ?? region ?? country;
    await services.events.publish(tx, 'scan.located', {
      accountId,
      scanId,
      qrCodeId: code.id,
      title: code.title,
      isLost,
      place,
      country,
      locationId: id,
    });
  }
  await services.events.publish(tx, 'scan.place_changed', { scanId });
  await recordAuditEntry(tx, context, { resourceId: scanId });
  const { id: qrCodeId } = code;
  runAfterCommit(tx, () =>
    services.realtimeBus.publishToAccount({ event: 'scan.located', accountId, data: { scanId, qrCodeId } }),
  );
  return { row: { ...fields, address: null, createdAt }, isNew: true };
}

function hashPosition(
  fieldCipher: FieldCipher,
  scanId: string,
  input: { latitude: number; longitude: number },
) {
  // Converts -0 to 0.
  const [latitude, longitude] = [input.latitude + 0, input.longitude + 0];
  return fieldCipher.hash('scan-location', scanId, `${latitude},${longitude}`);
}
