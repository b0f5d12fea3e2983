import { setTimeout as sleep } from 'node:timers/promises';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database, Db } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import {
  readOrReportIntegrityFailure,
  toIntegrityFailureAuditEntry,
} from '../../platform/integrity-failure.ts';
import { type JobHandler, SilentRetryError } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import type { GeocodedPlace, Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { hasEnterpriseMode } from '../identity/index.ts';
import { lockScanBuckets, markScanBucketsDirty } from './dirty-buckets.repository.ts';
import {
  claimGeocoderSlot,
  findGeocodedCellPlace,
  findScanPositionWithoutAddress,
  markGeocoderFailing,
  markGeocoderRecovered,
  type ScanPositionRowKey,
  updateScanPositionAddress,
  upsertGeocodedCell,
} from './geocoding.repository.ts';
import { decryptPositionRow, encryptPositionAddress, type ScanArea } from './scan-position.ts';

/** Retried for about a day and a half. */
export const REVERSE_GEOCODE_QUEUE: JobQueueDefinition = {
  name: 'geocode',
  expireInSeconds: 60,
  retryLimit: 12,
  retryDelay: 30,
};

/** Polls of the slot shared by all instances. */
const MAX_CLAIM_ATTEMPTS = 25;
const CLAIM_RETRY_MS = 200;

interface Services {
  database: Database;
  fieldCipher: FieldCipher;
  events: DomainEventBus;
  geocoder: Geocoder;
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
}

/** Geocode the cell of about ten meters, once a second over all instances, not in enterprise mode. */
export function createReverseGeocodeJob(services: Services): JobHandler {
  const { database, fieldCipher } = services;
  const { client } = database;
  return async (payload) => {
    const positionKey = parsePositionKey(payload);
    const row = positionKey && (await findScanPositionWithoutAddress(client, positionKey));
    if (!positionKey || !row || (await hasEnterpriseMode(client, row.accountId))) return;
    const location = await decryptOrRecordFailure(client, () =>
      decryptPositionRow(fieldCipher, { ...row, address: null }, positionKey.table),
    );
    if (!location) return;
    const place = await geocodeCell(services, location);
    if (place) await storePlace(services, positionKey, row, place);
  };
}

/** @throws SilentRetryError when the server does not answer */
async function geocodeCell(
  { database, fieldCipher, geocoder, log }: Services,
  at: { latitude: number; longitude: number },
): Promise<GeocodedPlace | null> {
  const { client } = database;
  const [latitude, longitude] = [at.latitude.toFixed(4), at.longitude.toFixed(4)];
  const id = fieldCipher.hash('geocoded-cell', latitude, longitude).toString('hex');
  const cachedPlace = await findGeocodedCellPlace(
    client,
    id,
    new Date(Date.now() - LIFETIMES_SECONDS.geocodedCell * 1000),
  );
  const fieldLocation = { table: 'geocoded_cells', column: 'place', rowId: id, ownerId: '' };
  const cached =
    cachedPlace &&
    (await decryptOrRecordFailure(client, () => ({
      place: fieldCipher.decrypt<GeocodedPlace | null>(fieldLocation, cachedPlace),
    })));
  if (cached) return cached.place;
  for (let attempt = 1; !(await claimGeocoderSlot(client)); attempt += 1) {
    if (attempt === MAX_CLAIM_ATTEMPTS) throw new SilentRetryError('no free geocoder slot');
    await sleep(CLAIM_RETRY_MS);
  }
  const place = await geocoder
    .reverseGeocode(Number(latitude), Number(longitude))
    .catch(async (error: unknown) => {
      const reason = error instanceof Error ? error.message : 'unknown';
      if (await markGeocoderFailing(client))
        log.warn({ reason }, 'geocoding server does not answer; requests are retried later');
      throw new SilentRetryError('no answer');
    });
  if (await markGeocoderRecovered(client)) log.info({}, 'geocoding server answers again');
  await upsertGeocodedCell(client, id, fieldCipher.encrypt(fieldLocation, place));
  return place;
}

/** Null, with an audit entry, when a stored value fails decryption. */
async function decryptOrRecordFailure<Value>(db: Db, read: () => Value): Promise<Value | null> {
  const failures: IntegrityFailure[] = [];
  const value = readOrReportIntegrityFailure(read, (failure) => failures.push(failure));
  const job = { operation: REVERSE_GEOCODE_QUEUE.name, requestId: 'job' };
  for (const failure of failures)
    await insertAuditEntry(db, { ...toIntegrityFailureAuditEntry(failure), ...job });
  return value;
}

type PositionRow = NonNullable<Awaited<ReturnType<typeof findScanPositionWithoutAddress>>>;

async function storePlace(
  { database, fieldCipher, events }: Services,
  positionKey: ScanPositionRowKey,
  row: PositionRow,
  place: GeocodedPlace,
): Promise<void> {
  const area = mergeArea(row, place);
  const address =
    place.address === null
      ? null
      : encryptPositionAddress(fieldCipher, row, place.address, positionKey.table);
  const countedScans = area === row || !row.counted ? [] : [row.counted];
  await database.transaction(async (tx) => {
    await lockScanBuckets(tx, countedScans);
    const { city, region, country } = area;
    const key = { ...positionKey, accountId: row.accountId };
    if (!(await updateScanPositionAddress(tx, key, { address, city, region, country }))) return;
    await markScanBucketsDirty(tx, countedScans);
    if (area !== row) await events.publish(tx, 'scan.place_changed', { scanId: row.scanId });
  });
}

/** Return the same object when nothing is added. */
function mergeArea<Known extends ScanArea>(area: Known, place: GeocodedPlace): ScanArea {
  const isOtherCountry = area.country !== null && area.country !== place.country;
  if (isOtherCountry || (area.city !== null && area.region !== null)) return area;
  return { city: area.city ?? place.city, region: area.region ?? place.region, country: place.country };
}

function parsePositionKey({ table, id }: Record<string, unknown>): ScanPositionRowKey | null {
  if ((table !== 'scans' && table !== 'scan_locations') || typeof id !== 'string') return null;
  return { table, id };
}
