import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { executeSql } from '../../platform/sql.ts';
import {
  type ChannelPreferences,
  DEFAULT_NOTIFICATION_SETTINGS,
  DIGEST_FREQUENCIES,
  type NotificationSettings,
} from './settings.rules.ts';

/** Return the settings of a user; defaults with version 0 if none are stored. */
export async function getNotificationSettings(
  db: Db,
  userId: string,
): Promise<NotificationSettings & { version: number }> {
  const row = await db.notificationSettings.findUnique({ where: { userId } });
  if (!row) return { ...DEFAULT_NOTIFICATION_SETTINGS, version: 0 };
  return {
    preferences: parseChannelPreferences(row.preferences),
    quietHours: row.quietFrom &&
      row.quietTo && { from: formatTimeOfDay(row.quietFrom), to: formatTimeOfDay(row.quietTo) },
    digest:
      DIGEST_FREQUENCIES.find((digest) => digest === row.digest) ?? DEFAULT_NOTIFICATION_SETTINGS.digest,
    version: row.version,
  };
}

export async function lockNotificationSettings(tx: Tx, userId: string): Promise<void> {
  await executeSql(tx)`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
}

/** Insert or update settings that `lockNotificationSettings` has locked. */
export async function upsertNotificationSettings(
  tx: Tx,
  userId: string,
  settings: NotificationSettings,
): Promise<void> {
  const { quietHours, digest } = settings;
  const columns = {
    preferences: settings.preferences as Prisma.InputJsonObject,
    quietFrom: quietHours && parseTimeOfDay(quietHours.from),
    quietTo: quietHours && parseTimeOfDay(quietHours.to),
    digest,
  };
  await tx.notificationSettings.upsert({
    where: { userId },
    create: { userId, ...columns },
    update: { ...columns, version: { increment: 1 }, updatedAt: new Date() },
    select: { userId: true },
  });
}

export function parseChannelPreferences(json: unknown): ChannelPreferences {
  return typeof json === 'object' && json !== null ? (json as ChannelPreferences) : {};
}

// The driver returns a time as a Date on 1970-01-01.
function formatTimeOfDay(time: Date): string {
  return time.toISOString().slice(11, 16);
}

function parseTimeOfDay(clock: string): Date {
  return new Date(`1970-01-01T${clock}:00Z`);
}
