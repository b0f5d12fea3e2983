import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { demandStillAuthorized } from '../../platform/still-authorized.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Role } from '../../shared/permissions.ts';
import { switchEnterpriseMode } from '../accounts/change-enterprise-mode.ts';
import { revokeAccess } from '../accounts/revoke-access.ts';
import type { AdministrationServices } from './administration-services.ts';
import {
  hasOtherAdministrator,
  type LockedPerson,
  lockPerson,
  setRole,
  setStatus,
} from './administrator.repository.ts';
import { findPerson, type PersonRow } from './all-users.repository.ts';
import { changeRoles } from './change-administrators.ts';

/** What an administrator changes of a person. ACTIVE restores a suspended one to what they were. */
export interface PersonChange {
  role?: Role | undefined;
  status?: 'ACTIVE' | 'SUSPENDED' | undefined;
  enterpriseMode?: boolean | undefined;
}

/**
 * Changes role, status or enterprise mode of a person; what is so already is left alone. A suspended person's sessions
 * end. Throws NOT_FOUND, what `demandStillAuthorized` throws, ADDRESS_NOT_CONFIRMED for a role where the address is not, ENTERPRISE_MODE_FOR_ALL, and
 * LAST_ADMINISTRATOR, which is recorded.
 */
export async function changePerson(
  services: AdministrationServices,
  caller: Caller,
  id: string,
  change: PersonChange,
): Promise<PersonRow> {
  const { database, enterpriseForAll } = services;
  const outcome = await changeRoles(database, async (tx) => {
    await demandStillAuthorized(tx, caller, 'admin:change-users', enterpriseForAll);
    const person = await lockPerson(tx, id);
    if (!person) throw new ServiceError('NOT_FOUND');
    if (await wouldLeaveNobody(tx, person, change)) return 'LAST' as const;
    if (change.role && change.role !== person.role) await giveRole(services, caller, tx, person, change.role);
    if (change.status) await giveStatus(caller, tx, person, change.status);
    if (change.enterpriseMode !== undefined && change.enterpriseMode !== person.enterpriseMode)
      await giveEnterpriseMode(services, caller, tx, person, change.enterpriseMode);
    return findPerson(tx, id);
  });
  if (outcome === 'LAST') {
    await recordKept(services, caller, id);
    throw new ServiceError('LAST_ADMINISTRATOR');
  }
  if (!outcome) throw new ServiceError('NOT_FOUND');
  services.postOffice.wake();
  return outcome;
}

/** Ends all sessions of a person. Throws NOT_FOUND. */
export async function logOutPerson(
  { database }: AdministrationServices,
  caller: Caller,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await lockPerson(tx, id))) throw new ServiceError('NOT_FOUND');
    await revokeAccess(tx, id, 'ENDED_BY_ADMINISTRATOR');
    await recordAction(tx, caller, { resourceId: id });
  });
}

async function wouldLeaveNobody(tx: Tx, person: LockedPerson, change: PersonChange): Promise<boolean> {
  if (person.role !== 'ADMIN' || !person.usable) return false;
  const loses = (change.role && change.role !== 'ADMIN') || change.status === 'SUSPENDED';
  return Boolean(loses) && !(await hasOtherAdministrator(tx, person.id));
}

async function giveRole(
  services: AdministrationServices,
  caller: Caller,
  tx: Tx,
  person: LockedPerson,
  role: Role,
): Promise<void> {
  const status = person.statusBefore ?? person.status;
  if (status === 'PENDING_VERIFICATION') throw new ServiceError('ADDRESS_NOT_CONFIRMED');
  await setRole(tx, person.id, role);
  await services.notifyRole(tx, person.id, role);
  await recordAction(tx, caller, { resourceId: person.id, changes: ['role'] });
}

async function giveStatus(
  caller: Caller,
  tx: Tx,
  person: LockedPerson,
  status: 'ACTIVE' | 'SUSPENDED',
): Promise<void> {
  const isSuspended = person.status === 'SUSPENDED';
  if ((status === 'SUSPENDED') === isSuspended) return;
  if (isSuspended) {
    // A row suspended before its former status was kept has a profile or not: VERIFIED asks for one.
    await setStatus(tx, person.id, { status: person.statusBefore ?? 'VERIFIED', statusBefore: null });
  } else {
    await setStatus(tx, person.id, { status, statusBefore: person.status });
    await revokeAccess(tx, person.id, 'SUSPENDED');
  }
  await recordAction(tx, caller, {
    action: isSuspended ? 'USER_RESTORED' : 'USER_SUSPENDED',
    resourceId: person.id,
    changes: ['status'],
  });
}

async function giveEnterpriseMode(
  { enterpriseForAll, postOffice }: AdministrationServices,
  caller: Caller,
  tx: Tx,
  person: LockedPerson,
  isOn: boolean,
): Promise<void> {
  if (enterpriseForAll && !isOn) throw new ServiceError('ENTERPRISE_MODE_FOR_ALL');
  const action = await switchEnterpriseMode(postOffice, tx, person, isOn);
  await recordAction(tx, caller, { action, resourceId: person.id, changes: ['enterpriseMode'] });
}

async function recordKept(
  { database }: AdministrationServices,
  caller: Caller,
  resourceId: string,
): Promise<void> {
  await database.transaction((tx) =>
    recordAction(tx, caller, { action: 'LAST_ADMINISTRATOR_KEPT', outcome: 'DENIED', resourceId }),
  );
}
