import type { Static } from 'typebox';
import { reserveTries } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import { damageRecord, readable } from '../../platform/damage.ts';
import type { Tx } from '../../platform/database.ts';
import type { Made } from '../../platform/idempotency.ts';
import { type DamagedValue, invalidFields, ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import type { AdministrationServices } from './administration-services.ts';
import {
  findOpenGrant,
  findRecordOwner,
  type GlassType,
  type GrantRow,
  insertGrant,
  listGrants,
  lockGlassOf,
} from './break-glass.repository.ts';
import type { BreakGlassGrant } from './break-glass.schemas.ts';
import { lettersOf } from './search-text.rules.ts';

/** Records that an administrator can open within an hour. */
const AN_HOUR = 20;

/** Letters and digits of a reason: what has fewer says nothing. */
const LEAST_REASON = 10;

interface Emergency {
  resourceType: GlassType;
  resourceId: string;
  reason: string;
}

/** A grant as it is answered, and whether it was open before. */
type Grant = Static<typeof BreakGlassGrant> & { wasOpen: boolean };

/**
 * Opens one record of somebody for an administrator for a quarter of an hour: recorded as CRITICAL, and the owner is
 * told by a notification and a mail in the same transaction (45 CFR 164.312(a)(2)(ii)). While it is open the same grant is
 * answered again, which is recorded and told to nobody. Throws NOT_FOUND, VALIDATION_FAILED for a reason that says
 * nothing, and RATE_LIMITED beyond twenty records an hour, which is recorded as a denial.
 */
export async function breakGlass(
  services: AdministrationServices,
  caller: Caller,
  administratorId: string,
  input: Emergency,
): Promise<Made<Grant>> {
  if (lettersOf(input.reason) < LEAST_REASON) {
    const message = `Must have at least ${LEAST_REASON} letters or digits.`;
    throw invalidFields({ field: 'reason', code: 'TOO_SHORT', message });
  }
  const { resourceType, resourceId } = input;
  const once = { who: administratorId, sameAs: input };
  try {
    const made = await services.createOnce(caller, once, async (tx) => {
      const owner = await findRecordOwner(tx, resourceType, resourceId);
      if (!owner) throw new ServiceError('NOT_FOUND');
      await lockGlassOf(tx, administratorId);
      const body =
        (await openAgain(tx, caller, administratorId, input)) ??
        (await open(services, tx, caller, { ...input, administratorId, owner }));
      return { body, location: '/api/admin/break-glass' };
    });
    services.postOffice.wake();
    return made;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RATE_LIMITED') {
      const denied = { outcome: 'DENIED', resourceType, resourceId } as const;
      await services.database.transaction((tx) => recordAction(tx, caller, denied));
    }
    throw error;
  }
}

/**
 * When the glass was broken and why, a page of it. The look is recorded, and so is each reason that does not open: it is
 * null, and keeps nobody from the others.
 */
export async function listReasons(
  { database, vault }: Pick<AdministrationServices, 'database' | 'vault'>,
  caller: Caller,
  page: { skip: number; take: number },
): Promise<{ rows: { row: GrantRow; reason: string | null }[]; total: number }> {
  return database.transaction(async (tx) => {
    await recordAction(tx, caller);
    const { rows, total } = await listGrants(tx, page);
    const damage: DamagedValue[] = [];
    const opened = rows.map((row) => ({
      row,
      reason: readable(
        () => vault.open<string>(placeOf(row), row.reason),
        (damaged) => damage.push(damaged),
      ),
    }));
    for (const damaged of damage) await recordAction(tx, caller, damageRecord(damaged));
    return { rows: opened, total };
  });
}

async function openAgain(
  tx: Tx,
  caller: Caller,
  administratorId: string,
  { resourceType, resourceId }: Emergency,
): Promise<Grant | null> {
  const grant = await findOpenGrant(tx, administratorId, resourceType, resourceId);
  if (!grant) return null;
  await recordAction(tx, caller, { action: 'BREAK_GLASS_ASKED_AGAIN', resourceType, resourceId });
  const { id, expiresAt } = grant;
  return { id, resourceType, resourceId, expiresAt: expiresAt.toISOString(), wasOpen: true };
}

async function open(
  services: AdministrationServices,
  tx: Tx,
  caller: Caller,
  input: Emergency & { administratorId: string; owner: { id: string; email: string } },
): Promise<Grant> {
  const { administratorId, owner, resourceType, resourceId } = input;
  const key = `break-glass:${services.vault.hash('break-glass', administratorId).toString('hex')}`;
  await reserveTries(tx, [{ key, allowed: AN_HOUR, windowSeconds: 60 * 60 }]);
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + LIFETIMES.breakGlass * 1000);
  const id = newId();
  const reason = services.vault.seal(placeOf({ id, administratorId }), input.reason);
  const grant = { id, administratorId, ownerId: owner.id, resourceType, resourceId };
  await insertGrant(tx, { ...grant, reason, createdAt, expiresAt });
  await services.notifyGlass(tx, { ownerId: owner.id, resourceType, resourceId });
  await services.postOffice.post(tx, {
    template: 'GLASS_BROKEN',
    to: owner.email,
    values: { at: createdAt, minutes: LIFETIMES.breakGlass / 60 },
  });
  await recordAction(tx, caller, { resourceType, resourceId });
  return { id, resourceType, resourceId, expiresAt: expiresAt.toISOString(), wasOpen: false };
}

function placeOf({ id, administratorId }: { id: string; administratorId: string }) {
  return { table: 'break_glass_grants', column: 'reason', rowId: id, ownerId: administratorId };
}
