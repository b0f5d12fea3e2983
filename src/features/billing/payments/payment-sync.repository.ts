import type { Db, Tx } from '../../../platform/database.ts';

/** An object of a provider that is to be looked at. */
export interface SyncTarget {
  provider: string;
  objectId: string;
}

/** What an object is. */
export type SyncObjectType = 'SUBSCRIPTION' | 'INVOICE' | 'CHECKOUT' | 'CHARGE' | 'CUSTOMER';

/** An object that was claimed, and the events that are answered by looking at it now. */
export interface ClaimedSync {
  object: SyncObjectType;
  /** How many reasons to look there were. */
  wanted: bigint;
  events: { eventId: string; createdAt: Date; snapshot: unknown }[];
}

/** Notes a further reason to look at each of these. Answers those that nobody was to look at: they need a job. */
export async function requestSyncs(
  tx: Tx,
  provider: string,
  objects: readonly { object: SyncObjectType; id: string }[],
): Promise<string[]> {
  // In one order: two transactions with the same of them cannot wait for each other.
  const ids = objects.map(({ id }) => id);
  const kinds = objects.map(({ object }) => object);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH wanted AS (
      INSERT INTO payment_syncs AS kept (provider, object_id, object_type)
      SELECT DISTINCT ON (id) ${provider}, id, object FROM unnest(${ids}::text[], ${kinds}::text[]) AS given (id, object)
      ORDER BY id
      ON CONFLICT (provider, object_id) DO UPDATE SET requested_count = kept.requested_count + 1
      RETURNING object_id, requested_count, completed_count
    )
    SELECT object_id AS id FROM wanted WHERE completed_count = requested_count - 1`;
  return rows.map(({ id }) => id);
}

/** Takes an object that is to be looked at, for so many seconds; null where somebody has it, or nothing is to be done. */
export async function claimSync(
  tx: Tx,
  { provider, objectId }: SyncTarget,
  lease: string,
  seconds: number,
): Promise<ClaimedSync | null> {
  const [row] = await tx.$queryRaw<{ object: SyncObjectType; wanted: bigint }[]>`
    UPDATE payment_syncs SET lease = ${lease}, leased_until = now() + make_interval(secs => ${seconds})
    WHERE provider = ${provider} AND object_id = ${objectId} AND completed_count < requested_count
      AND (lease IS NULL OR leased_until <= now())
    RETURNING object_type AS object, requested_count AS wanted`;
  if (!row) return null;
  // After the row is locked: of every event that is counted in `wanted`, and of no other.
  const events = await tx.webhookEvent.findMany({
    where: { provider, objectId, state: 'WAITING' },
    select: { eventId: true, createdAt: true, snapshot: true },
  });
  return { ...row, events };
}

/** Seconds until an object that is still to be looked at is free; null where nothing is to be done. */
export async function findSecondsUntilSyncUnlocked(
  db: Db,
  { provider, objectId }: SyncTarget,
): Promise<number | null> {
  const [row] = await db.$queryRaw<{ seconds: number }[]>`
    SELECT greatest(0, ceil(extract(epoch FROM coalesce(leased_until, now()) - now())))::int AS seconds
    FROM payment_syncs WHERE provider = ${provider} AND object_id = ${objectId} AND completed_count < requested_count`;
  return row?.seconds ?? null;
}

/** Notes that the look of a lease is done, and gives it back. Null where somebody else has the object by now, else whether there are reasons that came later. */
export async function finishSync(
  tx: Tx,
  { provider, objectId }: SyncTarget,
  lease: string,
  wanted: bigint,
): Promise<{ isWantedAgain: boolean } | null> {
  const [row] = await tx.$queryRaw<{ isWantedAgain: boolean }[]>`
    UPDATE payment_syncs SET completed_count = ${wanted}, lease = NULL, leased_until = NULL
    WHERE provider = ${provider} AND object_id = ${objectId} AND lease = ${lease}
    RETURNING requested_count > completed_count AS "isWantedAgain"`;
  return row ?? null;
}

/** Gives a lease back without a look. */
export async function releaseSync(db: Db, { provider, objectId }: SyncTarget, lease: string): Promise<void> {
  await db.$executeRaw`
    UPDATE payment_syncs SET lease = NULL, leased_until = NULL
    WHERE provider = ${provider} AND object_id = ${objectId} AND lease = ${lease}`;
}

/** Ids of objects that are to be looked at and that nobody has, in the order of their ids after one. */
export async function listDueSyncs(
  db: Db,
  provider: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT object_id AS id FROM payment_syncs
    WHERE provider = ${provider} AND object_id > ${after} AND completed_count < requested_count
      AND (leased_until IS NULL OR leased_until <= now())
    ORDER BY object_id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
