import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { DIGESTS, type Preferences, type Settings, USUAL_SETTINGS } from './settings.rules.ts';

/** What a person wishes, with the version of it; as it comes and of version 0 where they never said. */
export async function readSettings(db: Db, userId: string): Promise<Settings & { version: number }> {
  const row = await db.notificationSettings.findUnique({ where: { userId } });
  if (!row) return { ...USUAL_SETTINGS, version: 0 };
  return {
    preferences: preferencesOf(row.preferences),
    quietHours: row.quietFrom && row.quietTo && { from: clockOf(row.quietFrom), to: clockOf(row.quietTo) },
    digest: DIGESTS.find((digest) => digest === row.digest) ?? USUAL_SETTINGS.digest,
    version: row.version,
  };
}

/** Keeps others from changing what a person wishes until the transaction ends. */
export async function lockSettings(tx: Tx, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
}

/** Writes what a person wishes; call it after `lockSettings`. */
export async function writeSettings(tx: Tx, userId: string, settings: Settings): Promise<void> {
  const { quietHours, digest } = settings;
  const wished = {
    preferences: settings.preferences as Prisma.InputJsonObject,
    quietFrom: quietHours && timeOf(quietHours.from),
    quietTo: quietHours && timeOf(quietHours.to),
    digest,
  };
  await tx.notificationSettings.upsert({
    where: { userId },
    create: { userId, ...wished },
    update: { ...wished, version: { increment: 1 }, updatedAt: new Date() },
    select: { userId: true },
  });
}

/** What a column of JSON says of events and channels. */
export function preferencesOf(json: unknown): Preferences {
  return typeof json === 'object' && json !== null ? (json as Preferences) : {};
}

/** A time of day as the driver reads it: on the first day of 1970. */
function clockOf(time: Date): string {
  return time.toISOString().slice(11, 16);
}

function timeOf(clock: string): Date {
  return new Date(`1970-01-01T${clock}:00Z`);
}
