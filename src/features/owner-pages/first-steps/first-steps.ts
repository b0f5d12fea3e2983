import type { MembershipKey } from '../../../platform/membership.repository.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import type { QrCodeListRow } from '../../codes/index.ts';
import { findFirstSteps } from '../../identity/index.ts';
import { listOwnScans } from '../../scans/index.ts';
import { canPractice } from '../codes/code-parts.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

/** From the first code on. */
const MAX_AGE_MS = 7 * DAY_MS;

export interface FirstSteps {
  /** The first one that can be scanned and lost. */
  code: Pick<QrCodeListRow, 'id' | 'title'>;
  isPrinted: boolean;
  isScanned: boolean;
  isPracticed: boolean;
}

type Services = Pick<OwnerPageServices, 'database' | 'findRetentionStart'>;

/**
 * Read what a user did of the first steps, in whichever account; each scan of an owner counts for all of its members. Null without a code, a week after the first one, once all is
 * done, and for whoever hid them.
 * @param codes newest first: all that the account has, else there is no beginner to help
 */
export async function readFirstSteps(
  services: Services,
  { accountId, userId }: MembershipKey,
  codes: readonly QrCodeListRow[],
): Promise<FirstSteps | null> {
  const oldest = codes.at(-1);
  const code = codes.findLast(canPractice);
  if (!oldest || !code || oldest.createdAt.getTime() < Date.now() - MAX_AGE_MS) return null;
  const steps = await findFirstSteps(services.database.client, userId);
  if (steps.includes('HIDDEN')) return null;
  const filter = { from: oldest.createdAt, classes: ['OWNER'] };
  const range = { skip: 0, take: 1, after: null };
  const { rows } = await listOwnScans(services, accountId, filter, { sort: '-scannedAt', range });
  const isPrinted = steps.includes('PRINTED');
  const isPracticed = steps.includes('PRACTICED');
  const isScanned = rows.length > 0;
  return isPrinted && isPracticed && isScanned ? null : { code, isPrinted, isScanned, isPracticed };
}
