import { recordAction, recordActionOnEach } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';

/** People up to whom an answer tells of each of them; more are a list. It bounds the entries of one request. */
const FEW = 10;

/**
 * Records that staff looked at people, in the transaction that read them: an entry for each of up to ten people, so that
 * they can see it; one entry of the look itself where it found nobody, or more.
 */
export async function recordLook(tx: Tx, caller: Caller, personIds: readonly string[]): Promise<void> {
  const people = [...new Set(personIds)];
  if (people.length === 0 || people.length > FEW) return recordAction(tx, caller);
  await recordActionOnEach(tx, caller, people, { resourceType: 'USER' });
}
