import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database, Tx } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError } from '../../shared/errors.ts';
import type { ToldEvent } from './notification-kinds.rules.ts';
import { lockSettings, readSettings, writeSettings } from './settings.repository.ts';
import { isWanted, mergedPreferences, type Settings } from './settings.rules.ts';

/**
 * Changes what a person wishes by merging. Throws PRECONDITION_FAILED, and VALIDATION_FAILED for what cannot be switched
 * and for quiet hours that end as they begin.
 */
export async function changeSettings(
  database: Database,
  context: RequestContext,
  userId: string,
  given: Partial<Settings>,
  ifMatch: string | undefined,
): Promise<Settings & { version: number }> {
  const { from, to } = given.quietHours ?? {};
  if (from !== undefined && from === to)
    throw createValidationError({
      field: 'quietHours.to',
      code: 'NOT_ALLOWED',
      message: 'Must differ from `from`.',
    });
  return database.transaction(async (tx) => {
    await lockSettings(tx, userId);
    const before = await readSettings(tx, userId);
    assertIfMatch(ifMatch, before.version);
    const preferences = mergedPreferences(before.preferences, given.preferences ?? {});
    await writeSettings(tx, userId, { ...before, ...given, preferences });
    await recordAuditEntry(tx, context, { resourceId: userId, changes: Object.keys(given) });
    return readSettings(tx, userId);
  });
}

/** Switches the mails of an event off, for whoever has the way to do so that stands in each of them. The same again changes nothing. */
export async function endMails(
  tx: Tx,
  context: RequestContext,
  userId: string,
  event: ToldEvent,
): Promise<void> {
  await lockSettings(tx, userId);
  const before = await readSettings(tx, userId);
  if (!isWanted(before.preferences, event, 'EMAIL')) return;
  const preferences = mergedPreferences(before.preferences, { [event]: { EMAIL: false } });
  await writeSettings(tx, userId, { ...before, preferences });
  await recordAuditEntry(tx, context, { resourceId: userId, changes: ['preferences'] });
}
