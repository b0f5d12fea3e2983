import type { Static } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import { damageRecord, readable } from '../../platform/damage.ts';
import type { Made } from '../../platform/idempotency.ts';
import { type DamagedValue, ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import type { AdministrationServices } from './administration-services.ts';
import {
  findRecordOwner,
  type GlassType,
  type GrantRow,
  insertGrant,
  listGrants,
} from './break-glass.repository.ts';
import type { BreakGlassGrant } from './break-glass.schemas.ts';

/**
 * Opens one record of somebody for an administrator for a quarter of an hour: recorded as CRITICAL, and the owner is
 * told by a notification and a mail in the same transaction (45 CFR 164.312(a)(2)(ii)). Throws NOT_FOUND.
 */
export async function breakGlass(
  services: AdministrationServices,
  caller: Caller,
  administratorId: string,
  input: { resourceType: GlassType; resourceId: string; reason: string },
): Promise<Made<Static<typeof BreakGlassGrant>>> {
  const { resourceType, resourceId } = input;
  const made = await services.createOnce(caller, { who: administratorId, sameAs: input }, async (tx) => {
    const owner = await findRecordOwner(tx, resourceType, resourceId);
    if (!owner) throw new ServiceError('NOT_FOUND');
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
    const body = { id, resourceType, resourceId, expiresAt: expiresAt.toISOString() };
    return { body, location: '/api/admin/break-glass' };
  });
  services.postOffice.wake();
  return made;
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

function placeOf({ id, administratorId }: { id: string; administratorId: string }) {
  return { table: 'break_glass_grants', column: 'reason', rowId: id, ownerId: administratorId };
}
