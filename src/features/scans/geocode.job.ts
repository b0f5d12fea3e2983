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
import { hasEnterpriseMode } from '../accounts/enterprise.repository.ts';
import {
  claimTurn,
  findCell,
  findUnaddressed,
  keepCell,
  noteAnswering,
  noteFailing,
  type Placed,
  storeAddress,
} from './geocoding.repository.ts';
import { type Area, openHeld, sealAddress } from './scan-position.ts';
import { queryIn } from './scan-query.ts';
import { holdSpans, noteStaleSpans } from './stale-spans.repository.ts';

/** The queue of positions that a geocoding server is to name; tried again for about a day and a half. */
export const GEOCODE_QUEUE: JobQueueDefinition = {
  name: 'geocode',
  expireInSeconds: 60,
  retryLimit: 12,
  retryDelay: 30,
};

/** How often, and after how many milliseconds, it is looked whether it is somebody else's second. */
const LOOKS = 25;
const BETWEEN_LOOKS = 200;

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
export function geocodeJob(services: Services): JobHandler {
  const { database, fieldCipher } = services;
  const { client } = database;
  return async (payload) => {
    const placed = placedOf(payload);
    const row = placed && (await findUnaddressed(client, placed));
    if (!placed || !row || (await hasEnterpriseMode(client, row.ownerId))) return;
    const location = await opened(client, () =>
      openHeld(fieldCipher, { ...row, address: null }, placed.table),
    );
    if (!location) return;
    const place = await placeOfCell(services, location);
    if (place) await store(services, placed, row, place);
  };
}

/** What is at a position, from what is kept or from the server. Throws RetryQuietly when it does not answer. */
async function placeOfCell(
  { database, fieldCipher, geocoder, log }: Services,
  at: { latitude: number; longitude: number },
): Promise<GeocodedPlace | null> {
  const { client } = database;
  const [latitude, longitude] = [at.latitude.toFixed(4), at.longitude.toFixed(4)];
  const id = fieldCipher.hash('geocoded-cell', latitude, longitude).toString('hex');
  const kept = await findCell(client, id, new Date(Date.now() - LIFETIMES_SECONDS.geocodedCell * 1000));
  const held = { table: 'geocoded_cells', column: 'place', rowId: id, ownerId: '' };
  const known =
    kept && (await opened(client, () => ({ place: fieldCipher.open<GeocodedPlace | null>(held, kept) })));
  if (known) return known.place;
  for (let looks = 1; !(await claimTurn(client)); looks += 1) {
    if (looks === LOOKS) throw new SilentRetryError('no turn to ask');
    await sleep(BETWEEN_LOOKS);
  }
  const place = await geocoder.locate(Number(latitude), Number(longitude)).catch(async (error: unknown) => {
    const reason = error instanceof Error ? error.message : 'unknown';
    if (await noteFailing(client))
      log.warn({ reason }, 'geocoding: the server does not answer; it is asked again later');
    throw new SilentRetryError('no answer');
  });
  if (await noteAnswering(client)) log.info({}, 'geocoding: the server answers again');
  await keepCell(client, id, fieldCipher.seal(held, place));
  return place;
}

/** What `read` answers; null, with an entry in the audit trail, where a stored value does not open. */
async function opened<Value>(db: Db, read: () => Value): Promise<Value | null> {
  const damage: IntegrityFailure[] = [];
  const value = readOrReportIntegrityFailure(read, (damaged) => damage.push(damaged));
  const job = { operation: GEOCODE_QUEUE.name, requestId: 'job' };
  for (const damaged of damage) await insertAuditEntry(db, { ...toIntegrityFailureEntry(damaged), ...job });
  return value;
}

type Row = NonNullable<Awaited<ReturnType<typeof findUnaddressed>>>;

async function store(
  { database, fieldCipher }: Services,
  placed: Placed,
  row: Row,
  place: GeocodedPlace,
): Promise<void> {
  const area = completed(row, place);
  const address = place.address === null ? null : sealAddress(fieldCipher, row, place.address, placed.table);
  const counted = area === row || !row.counted ? [] : [row.counted];
  await database.transaction(async (tx) => {
    await holdSpans(queryIn(tx), counted);
    const { city, region, country } = area;
    if (await storeAddress(tx, placed, { address, city, region, country }))
      await noteStaleSpans(queryIn(tx), counted);
  });
}

/** What is known of an area and, within the same country, by a place; the same object where nothing is added. */
function completed<Known extends Area>(known: Known, place: GeocodedPlace): Area {
  const isElsewhere = known.country !== null && known.country !== place.country;
  if (isElsewhere || (known.city !== null && known.region !== null)) return known;
  return { city: known.city ?? place.city, region: known.region ?? place.region, country: place.country };
}

function placedOf({ table, id }: Record<string, unknown>): Placed | null {
  if ((table !== 'scans' && table !== 'scan_locations') || typeof id !== 'string') return null;
  return { table, id };
}
