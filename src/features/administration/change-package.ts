import { isDeepStrictEqual } from 'node:util';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import { checkVersion } from '../../platform/http/if-match.ts';
import { demandStillAuthorized } from '../../platform/still-authorized.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { type AdminPackageRow, lockPackage, offerVersion } from '../subscriptions/package.repository.ts';
import { type PackageContent, packageProblems } from '../subscriptions/package.rules.ts';

/**
 * Offers a package otherwise from now on, by a new version: whoever bought an earlier one keeps it. What is as it was
 * makes none. Throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED, what `demandStillAuthorized` throws.
 */
export async function changePackage(
  { database, enterpriseForAll }: { database: Database; enterpriseForAll: boolean },
  caller: Caller,
  id: string,
  { content, ifMatch }: { content: PackageContent & { onOffer: boolean }; ifMatch: string | undefined },
): Promise<AdminPackageRow> {
  return database.transaction(async (tx) => {
    const before = await lockPackage(tx, id);
    await demandStillAuthorized(tx, caller, 'admin:packages', enterpriseForAll);
    if (!before) throw new ServiceError('NOT_FOUND');
    checkVersion(ifMatch, before.version);
    const problems = packageProblems(before.code, content);
    if (problems.length > 0) throw invalidFields(...problems);
    const { names, prices, limits, features, onOffer } = content;
    const after = { ...before, names, prices, limits, features, onOffer, version: before.version + 1 };
    const changed = (['names', 'prices', 'limits', 'features', 'onOffer'] as const).filter(
      (field) => !isDeepStrictEqual(before[field], after[field]),
    );
    if (changed.length === 0) return before;
    await offerVersion(tx, before, content);
    const versions = `version ${before.version} to ${after.version}`;
    await recordAction(tx, caller, { resourceId: id, changes: [versions, ...changed] });
    return after;
  });
}
