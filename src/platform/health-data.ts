import { readsHealthData } from '../shared/account-permissions.ts';
import { ServiceError } from '../shared/errors.ts';
import type { RequestContext } from './request-context.ts';

/** Whether who sent a request reads health data of the account. A link or a job has rules of its own. */
export function canReadHealthData({ user }: Pick<RequestContext, 'user'>): boolean {
  return !user?.account || readsHealthData(user.account);
}

/** @throws FORBIDDEN for a role in the account that reads no health data */
export function assertHealthDataReadable(context: Pick<RequestContext, 'user'>): void {
  if (!canReadHealthData(context)) throw new ServiceError('FORBIDDEN');
}
