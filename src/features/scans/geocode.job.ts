import { setTimeout as sleep } from 'node:timers/promises';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database, Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { readOrReportIntegrityFailure, toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import { type JobHandler, SilentRetryError } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import type { GeocodedPlace, Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { hasEnterpriseMode } from '../identity/index.ts';
import { lockScanBuckets, markBucketsDirty } from './dirty-buckets.repository.ts';
import {
  claimGeocoderSlot,
  findGeocodedCell,
  findPositionWithoutAddress,
  markGeocoderFailing,
  markGeocoderRecovered,
  type PositionKey,
  updateScanAddress,
  upsertGeocodedCell,
} from './geocoding.repository.ts';
import { decryptRowLocation, encryptAddress, type ScanArea } from './scan-position.ts';
import { createTransactionQuery } from './scan-query.ts';

/** The queue of positions that a geocoding server is to name; tried again for about a day and a half. */
export const GEOCODE_QUEUE: JobQueueDefinition = {
  name: 'geocode',
  expireInSeconds: 60,
  retryLimit: 12,
  retryDelay: 30,
};

/** How often, and after how many milliseconds, it is looked whether it is somebody else's second. */
const MAX_CLAIM_ATTEMPTS = 25;
const CLAIM_RETRY_MS = 200;

interface Services {
  database: Database;
  fieldCipher: FieldCipher;
  /** Asks the server, whose answers may take seconds or fail. */
  geocoder: Geocoder;
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
}

/**
 * Has a server name the position of a scan, or of a part of a trail: its address is kept beside the position, and what
 * is not known of city, region and country is filled in. Asked is for the cell of about ten metres, once a second over
 * all instances, and not for accounts in enterprise mode. A server that fails is said once, and asked again later.
 */
export function createGeocodeJob(services: Services): JobHandler {
  const { database, fieldCipher } = services;
  const { client } = database;
  return async (payload) => {
    const positionKey = parsePositionKey(payload);
    const row = positionKey && (await findPositionWithoutAddress(client, positionKey));
    if (!positionKey || !row || (await hasEnterpriseMode(client, row.ownerId))) return;
    const location = await decryptOrRecordFailure(client, () =>
      decryptRowLocation(fieldCipher, { ...row, address: null }, positionKey.table),
    );
    if (!location) return;
    const place = await geocodeCell(services, location);
    if (place) await storePlace(services, positionKey, row, place);
  };
}

/** What is at a position, from what is kept or from the server. Throws RetryQuietly when it does not answer. */
async function geocodeCell(
  { database, fieldCipher, geocoder, log }: Services,
  at: { latitude: number; longitude: number },
): Promise<GeocodedPlace | null> {
  const { client } = database;
  const [latitude, longitude] = [at.latitude.toFixed(4), at.longitude.toFixed(4)];
  const id = fieldCipher.hash('geocoded-cell', latitude, longitude).toString('hex');
  const cachedPlace = await findGeocodedCell(
    client,
    id,
    new Date(Date.now() - LIFETIMES_SECONDS.geocodedCell * 1000),
  );
  const fieldLocation = { table: 'geocoded_cells', column: 'place', rowId: id, ownerId: '' };
  const known =
    cachedPlace &&
    (await decryptOrRecordFailure(client, () => ({
      place: fieldCipher.decrypt<GeocodedPlace | null>(fieldLocation, cachedPlace),
    })));
  if (known) return known.place;
  for (let attempt = 1; !(await claimGeocoderSlot(client)); attempt += 1) {
    if (attempt === MAX_CLAIM_ATTEMPTS) throw new SilentRetryError('no turn to ask');
    await sleep(CLAIM_RETRY_MS);
  }
  const place = await geocoder
    .reverseGeocode(Number(latitude), Number(longitude))
    .catch(async (error: unknown) => {
      const reason = error instanceof Error ? error.message : 'unknown';
      if (await markGeocoderFailing(client))
        log.warn({ reason }, 'geocoding: the server does not answer; it is asked again later');
      throw new SilentRetryError('no answer');
    });
  if (await markGeocoderRecovered(client)) log.info({}, 'geocoding: the server answers again');
  await upsertGeocodedCell(client, id, fieldCipher.encrypt(fieldLocation, place));
  return place;
}

/** What `read` answers; null, with an entry in the audit trail, where a stored value does not open. */
async function decryptOrRecordFailure<Value>(db: Db, read: () => Value): Promise<Value | null> {
  const failures: IntegrityFailure[] = [];
  const value = readOrReportIntegrityFailure(read, (failure) => failures.push(failure));
  const job = { operation: GEOCODE_QUEUE.name, requestId: 'job' };
  for (const failure of failures) await insertAuditEntry(db, { ...toIntegrityFailureEntry(failure), ...job });
  return value;
}

type PositionRow = NonNullable<Awaited<ReturnType<typeof findPositionWithoutAddress>>>;

async function storePlace(
  { database, fieldCipher }: Services,
  positionKey: PositionKey,
  row: PositionRow,
  place: GeocodedPlace,
): Promise<void> {
  const area = mergeArea(row, place);
  const address =
    place.address === null ? null : encryptAddress(fieldCipher, row, place.address, positionKey.table);
  const counted = area === row || !row.counted ? [] : [row.counted];
  await database.transaction(async (tx) => {
    await lockScanBuckets(createTransactionQuery(tx), counted);
    const { city, region, country } = area;
    if (await updateScanAddress(tx, positionKey, { address, city, region, country }))
      await markBucketsDirty(createTransactionQuery(tx), counted);
  });
}

/** What is known of an area and, within the same country, by a place; the same object where nothing is added. */
function mergeArea<Known extends ScanArea>(known: Known, place: GeocodedPlace): ScanArea {
  const isElsewhere = known.country !== null && known.country !== place.country;
  if (isElsewhere || (known.city !== null && known.region !== null)) return known;
  return { city: known.city ?? place.city, region: known.region ?? place.region, country: place.country };
}

function parsePositionKey({ table, id }: Record<string, unknown>): PositionKey | null {
  if ((table !== 'scans' && table !== 'scan_locations') || typeof id !== 'string') return null;
  return { table, id };
}
