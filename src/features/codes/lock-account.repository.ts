import type { Tx } from '../../platform/database.ts';
import { executeSql } from '../../platform/sql.ts';

/**
 * Lock the print sheets, saved views and folders of an account, so that those requested at the same time are counted one after the
 * other. No row is locked: the guard of a new row locks the user, as an erasure does before it changes the account.
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await executeSql(tx)`SELECT pg_advisory_xact_lock(hashtextextended('codes of ' || ${accountId}, 0))`;
}
