import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Database, Tx } from '../../platform/database.ts';
import { checkVersion } from '../../platform/http/if-match.ts';
import { invalidFields } from '../../shared/errors.ts';
import type { ToldEvent } from './notification-kinds.rules.ts';
import { lockSettings, readSettings, writeSettings } from './settings.repository.ts';
import { isWanted, mergedPreferences, type Settings } from './settings.rules.ts';

/**
 * Changes what a person wishes by merging. Throws PRECONDITION_FAILED, and VALIDATION_FAILED for what cannot be switched
 * and for quiet hours that end as they begin.
 */
export async function changeSettings(
  database: Database,
  caller: Caller,
  userId: string,
  given: Partial<Settings>,
  ifMatch: string | undefined,
): Promise<Settings & { version: number }> {
  const { from, to } = given.quietHours ?? {};
  if (from !== undefined && from === to)
    throw invalidFields({ field: 'quietHours.to', code: 'NOT_ALLOWED', message: 'Must differ from `from`.' });
  return database.transaction(async (tx) => {
    await lockSettings(tx, userId);
    const before = await readSettings(tx, userId);
    checkVersion(ifMatch, before.version);
    const preferences = mergedPreferences(before.preferences, given.preferences ?? {});
    await writeSettings(tx, userId, { ...before, ...given, preferences });
    await recordAction(tx, caller, { resourceId: userId, changes: Object.keys(given) });
    return readSettings(tx, userId);
  });
}

/** Switches the mails of an event off, for whoever has the way to do so that stands in each of them. The same again changes nothing. */
export async function endMails(tx: Tx, caller: Caller, userId: string, event: ToldEvent): Promise<void> {
  await lockSettings(tx, userId);
  const before = await readSettings(tx, userId);
  if (!isWanted(before.preferences, event, 'EMAIL')) return;
  const preferences = mergedPreferences(before.preferences, { [event]: { EMAIL: false } });
  await writeSettings(tx, userId, { ...before, preferences });
  await recordAction(tx, caller, { resourceId: userId, changes: ['preferences'] });
}
