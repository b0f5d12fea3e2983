import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { formatUserAgentFamily } from '../../identity/index.ts';
import {
  deleteOldestOwnerPhones,
  deleteOwnerPhone,
  findOwnerPhone,
  insertOwnerPhone,
  type OwnerPhoneKey,
  recordOwnerPhoneScan,
} from './owner-phone.repository.ts';

/** Of an account; above it the phone that was marked first is removed. */
export const MAX_OWNER_PHONES = 50;

const MAX_NAME_CHARACTERS = 100;

/** Mark the phone of a request; returns its id, for its cookie. */
export async function markOwnerPhone(
  tx: Tx,
  { userAgent }: Pick<RequestContext, 'userAgent'>,
  owner: { accountId: string; accessEpoch: number },
): Promise<string> {
  const id = generateId();
  const name = formatUserAgentFamily(userAgent).slice(0, MAX_NAME_CHARACTERS);
  const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.ownerPhone * 1000);
  await insertOwnerPhone(tx, { ...owner, id, name, expiresAt });
  await deleteOldestOwnerPhones(tx, owner.accountId, MAX_OWNER_PHONES);
  return id;
}

/** Check that the mark of a phone has not ended, and record the day of the scan. */
export async function isOwnerPhone(
  database: Pick<Database, 'forAccount'>,
  key: OwnerPhoneKey,
): Promise<boolean> {
  const { client } = database.forAccount(key.accountId);
  const phone = await findOwnerPhone(client, key);
  // One more statement a day, not a scan.
  if (phone?.isFirstScanOfDay) await recordOwnerPhoneScan(client, key);
  return phone !== null;
}

/** End the mark of a phone: its scans count as those of anybody. @throws NOT_FOUND */
export async function removeOwnerPhone(
  database: Database,
  context: RequestContext,
  key: OwnerPhoneKey,
): Promise<void> {
  await database.forAccount(key.accountId).transaction(async (tx) => {
    if (!(await deleteOwnerPhone(tx, key))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { action: 'OWNER_PHONE_REMOVED', resourceId: key.accountId });
  });
}
