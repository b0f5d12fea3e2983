import { isDeepStrictEqual } from 'node:util';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database, Tx } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { ConfigurableEvent } from './notification-kinds.rules.ts';
import {
  getNotificationSettings,
  lockNotificationSettings,
  upsertNotificationSettings,
} from './settings.repository.ts';
import {
  findFixedChannelErrors,
  isChannelEnabled,
  mergeChannelPreferences,
  type NotificationSettings,
} from './settings.rules.ts';

/** Merge changes into the notification settings of a user. @throws PRECONDITION_FAILED */
export async function updateNotificationSettings(
  database: Database,
  context: RequestContext,
  userId: string,
  input: Partial<NotificationSettings>,
  ifMatch: string | undefined,
): Promise<NotificationSettings & { version: number }> {
  return database.transaction(async (tx) => {
    await lockNotificationSettings(tx, userId);
    const before = await getNotificationSettings(tx, userId);
    assertIfMatch(ifMatch, before.version);
    const preferences = mergeChannelPreferences(before.preferences, input.preferences ?? {});
    const after = { ...before, ...input, preferences };
    if (isDeepStrictEqual(after, before)) return before;
    await upsertNotificationSettings(tx, userId, after);
    await recordAuditEntry(tx, context, { resourceId: userId, changes: Object.keys(input) });
    return getNotificationSettings(tx, userId);
  });
}

export function findNotificationSettingErrors({
  quietHours,
  preferences = {},
}: Partial<NotificationSettings>): FieldError[] {
  const { from, to } = quietHours ?? {};
  const sameTimeError = { field: 'quietHours.to', code: 'NOT_ALLOWED', message: 'Must differ from `from`.' };
  return [
    ...(from !== undefined && from === to ? [sameTimeError] : []),
    ...findFixedChannelErrors(preferences),
  ];
}

/** Disable the mails of an event for the recipient of a mail. A repeat changes nothing. */
export async function disableNotificationMails(
  tx: Tx,
  context: RequestContext,
  userId: string,
  event: ConfigurableEvent,
): Promise<void> {
  await lockNotificationSettings(tx, userId);
  const before = await getNotificationSettings(tx, userId);
  if (!isChannelEnabled(before.preferences, event, 'EMAIL')) return;
  const preferences = mergeChannelPreferences(before.preferences, { [event]: { EMAIL: false } });
  await upsertNotificationSettings(tx, userId, { ...before, preferences });
  await recordAuditEntry(tx, context, { resourceId: userId, changes: ['preferences'] });
}
