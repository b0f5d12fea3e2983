import type { Static } from 'typebox';
import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { commitAuditEntry, recordAuditEntry } from '../../platform/audit.ts';
import {
  type BreakGlassGrantRow,
  type BreakGlassResourceType,
  endBreakGlassGrant,
  findActiveBreakGlassGrant,
  findBreakGlassResourceAccountId,
  insertBreakGlassGrant,
  listBreakGlassGrants,
  lockBreakGlassGrants,
} from '../../platform/break-glass.repository.ts';
import { defineColumnCipher } from '../../platform/column-cipher.ts';
import type { Tx } from '../../platform/database.ts';
import type { IdempotentResult } from '../../platform/idempotency.ts';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import { listOwnerEmails } from '../../platform/membership.repository.ts';
import { reportIntegrityFailures } from '../../platform/report-integrity-failures.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { type FieldError, type IntegrityFailure, ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { type ListRange, type ListSort, NEWEST_FIRST } from '../../shared/list-cursor.ts';
import type { AdministrationServices } from './administration-services.ts';
import type { BreakGlassGrant } from './break-glass.schemas.ts';
import { administrationCatalogue } from './catalogue.ts';
import { countLettersAndDigits } from './search-text.rules.ts';

const REASON = defineColumnCipher(administrationCatalogue, 'break_glass_grants.reason').of<string>();

export const NEWEST_GRANT_FIRST: ListSort<{ row: { id: string; createdAt: Date } }> = {
  ...NEWEST_FIRST,
  getPosition: ({ row }) => NEWEST_FIRST.getPosition(row),
};

const MAX_GRANTS_PER_HOUR = 20;

const MIN_REASON_CHARACTERS = 10;

interface BreakGlassInput {
  resourceType: BreakGlassResourceType;
  resourceId: string;
  reason: string;
}

type BreakGlassResult = Static<typeof BreakGlassGrant> & { isReused: boolean };

/**
 * Grant an administrator emergency access to one record for 15 minutes. The grant is audited as CRITICAL, and the
 * owners are notified in the same transaction (45 CFR 164.312(a)(2)(ii)). An active grant is returned again without
 * another notification.
 * @throws NOT_FOUND
 * @throws RATE_LIMITED beyond the hourly limit, audited as a denial
 */
export async function grantBreakGlassAccess(
  services: AdministrationServices,
  context: RequestContext,
  administratorId: string,
  input: BreakGlassInput,
): Promise<IdempotentResult<BreakGlassResult>> {
  const { resourceType, resourceId } = input;
  const idempotency = { who: administratorId, fingerprint: input };
  try {
    const result = await services.createIdempotently(context, idempotency, async (tx) => {
      const accountId = await findBreakGlassResourceAccountId(tx, resourceType, resourceId);
      if (accountId === null) throw new ServiceError('NOT_FOUND');
      await lockBreakGlassGrants(tx, administratorId);
      const body =
        (await reuseActiveGrant(tx, context, administratorId, input)) ??
        (await createBreakGlassGrant(services, tx, context, { ...input, administratorId, accountId }));
      return { body, location: '/api/admin/break-glass' };
    });
    services.mailOutbox.wake();
    return result;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RATE_LIMITED') {
      const denied = { outcome: 'DENIED', resourceType, resourceId } as const;
      await commitAuditEntry(services.database, context, denied);
    }
    throw error;
  }
}

/** End emergency access before its time, one's own or that of another administrator. @throws NOT_FOUND */
export async function endBreakGlassAccess(
  { database }: Pick<AdministrationServices, 'database'>,
  context: RequestContext,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const grant = await endBreakGlassGrant(tx, id);
    if (!grant) throw new ServiceError('NOT_FOUND');
    const resourceType = grant.resourceType === 'SCAN' ? 'SCAN' : 'QRCODE';
    await recordAuditEntry(tx, context, { resourceType, resourceId: grant.resourceId });
  });
}

export function findReasonErrors({ reason }: Partial<BreakGlassInput>): FieldError[] {
  if (reason === undefined || countLettersAndDigits(reason) >= MIN_REASON_CHARACTERS) return [];
  const message = `Must have at least ${MIN_REASON_CHARACTERS} letters or digits.`;
  return [{ field: 'reason', code: 'TOO_SHORT', message }];
}

/** List grants with their decrypted reasons. A reason that fails its integrity check is null and audited. */
export async function listBreakGlassGrantsWithReasons(
  { database, fieldCipher }: Pick<AdministrationServices, 'database' | 'fieldCipher'>,
  context: RequestContext,
  range: ListRange,
): Promise<{ rows: { row: BreakGlassGrantRow; reason: string | null }[]; total: number }> {
  return database.transaction(async (tx) => {
    await recordAuditEntry(tx, context);
    const { rows, total } = await listBreakGlassGrants(tx, range);
    const failures: IntegrityFailure[] = [];
    const decrypted = rows.map((row) => ({
      row,
      reason: readOrReportIntegrityFailure(
        () => REASON.decrypt(fieldCipher, row),
        (integrityFailure) => failures.push(integrityFailure),
      ),
    }));
    await reportIntegrityFailures(tx, context, failures);
    return { rows: decrypted, total };
  });
}

async function reuseActiveGrant(
  tx: Tx,
  context: RequestContext,
  administratorId: string,
  { resourceType, resourceId }: BreakGlassInput,
): Promise<BreakGlassResult | null> {
  const grant = await findActiveBreakGlassGrant(tx, administratorId, resourceType, resourceId);
  if (!grant) return null;
  await recordAuditEntry(tx, context, { action: 'BREAK_GLASS_REQUESTED_AGAIN', resourceType, resourceId });
  const { id, expiresAt } = grant;
  return { id, resourceType, resourceId, expiresAt: expiresAt.toISOString(), isReused: true };
}

async function createBreakGlassGrant(
  services: AdministrationServices,
  tx: Tx,
  context: RequestContext,
  input: BreakGlassInput & { administratorId: string; accountId: string },
): Promise<BreakGlassResult> {
  const { administratorId, accountId, resourceType, resourceId } = input;
  const key = `break-glass:${services.fieldCipher.hash('break-glass', administratorId).toString('hex')}`;
  await consumeAttempts(tx, [{ key, allowed: MAX_GRANTS_PER_HOUR, windowSeconds: HOUR_SECONDS }]);
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + LIFETIMES_SECONDS.breakGlass * 1000);
  const id = generateId();
  const reason = REASON.encrypt(services.fieldCipher, { id, administratorId }, input.reason);
  const grant = { id, administratorId, accountId, resourceType, resourceId };
  await insertBreakGlassGrant(tx, { ...grant, reason, createdAt, expiresAt });
  await services.events.publish(tx, 'break_glass.opened', { accountId, resourceType, resourceId });
  for (const to of await listOwnerEmails(tx, accountId))
    await services.mailOutbox.enqueue(tx, {
      template: 'BREAK_GLASS_OPENED',
      to,
      values: { at: createdAt, minutes: LIFETIMES_SECONDS.breakGlass / 60 },
    });
  await recordAuditEntry(tx, context, { resourceType, resourceId });
  return { id, resourceType, resourceId, expiresAt: expiresAt.toISOString(), isReused: false };
}
