import { findMemberships } from '../../platform/membership.repository.ts';
import { readsHealthData } from '../../shared/account-permissions.ts';
import type { ScanServices } from './scan-services.ts';

/**
 * Check that the attempts of a user at the PIN of an account's code need not be limited: they read the code without it, so
 * they have nothing to guess. A PIN can guard health data from a member who may not read that.
 */
export async function isExemptFromPin(
  { database, isEnterpriseEnforced }: Pick<ScanServices, 'database' | 'isEnterpriseEnforced'>,
  accountId: string,
  userId: string,
): Promise<boolean> {
  if (accountId === userId) return true;
  const [member] = await findMemberships(database.client, [{ accountId, userId }], isEnterpriseEnforced);
  return member !== undefined && readsHealthData(member);
}
