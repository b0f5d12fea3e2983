import { isDeepStrictEqual } from 'node:util';
import { assertStillAuthorized } from '../../platform/assert-still-authorized.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import {
  type AdminPackageRow,
  findPackageErrors,
  insertPackageVersion,
  lockPackage,
  type PackageContent,
} from '../billing/index.ts';

/**
 * Store a new version of a package; users keep the version that they bought. Unchanged content creates none.
 * @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED
 */
export async function updatePackage(
  { database, isEnterpriseEnforced }: { database: Database; isEnterpriseEnforced: boolean },
  context: RequestContext,
  id: string,
  { content, ifMatch }: { content: PackageContent & { onOffer: boolean }; ifMatch: string | undefined },
): Promise<AdminPackageRow> {
  return database.transaction(async (tx) => {
    const before = await lockPackage(tx, id);
    await assertStillAuthorized(tx, context, 'admin:packages', isEnterpriseEnforced);
    if (!before) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, before.version);
    const problems = findPackageErrors(before.code, content);
    if (problems.length > 0) throw createValidationError(...problems);
    const { names, prices, features, onOffer } = content;
    const limits = mergeLimits(before.limits, content.limits);
    const after = { ...before, names, prices, limits, features, onOffer, version: before.version + 1 };
    const changed = (['names', 'prices', 'limits', 'features', 'onOffer'] as const).filter(
      (field) => !isDeepStrictEqual(before[field], after[field]),
    );
    if (changed.length === 0) return before;
    await insertPackageVersion(tx, before, { ...content, limits });
    const versions = `version ${before.version} to ${after.version}`;
    await recordAuditEntry(tx, context, { resourceId: id, changes: [versions, ...changed] });
    return after;
  });
}

/** A limit that is not named stays; one that a package never had is the same as null. */
function mergeLimits(
  before: PackageContent['limits'],
  limits: PackageContent['limits'],
): PackageContent['limits'] {
  const named = Object.entries(limits).filter(([name, limit]) => limit !== null || name in before);
  return { ...before, ...Object.fromEntries(named) };
}
