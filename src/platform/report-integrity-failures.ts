import type { IntegrityFailure } from '../shared/errors.ts';
import { recordAuditEntry } from './audit.ts';
import type { Database, Tx } from './database.ts';
import { readOrReportIntegrityFailure, toIntegrityFailureAuditEntry } from './integrity-failure.ts';
import type { RequestContext } from './request-context.ts';

/** Log and audit the values of a list that failed their integrity check: each of them once. */
export async function reportIntegrityFailures(
  tx: Tx,
  context: RequestContext,
  failures: readonly IntegrityFailure[],
): Promise<void> {
  const unique = new Map(failures.map((failure) => [Object.values(failure).join(' '), failure]));
  for (const integrityFailure of unique.values()) {
    context.log?.error({ integrityFailure }, 'stored data failed its integrity check');
    await recordAuditEntry(tx, context, toIntegrityFailureAuditEntry(integrityFailure));
  }
}

/** Reads a value; null if it fails its integrity check. */
export type TolerantReader = <Value>(read: () => Value) => Value | null;

/** Create what contains values of which one that fails its integrity check must not hide the others; failures are reported. */
export async function tolerateIntegrityFailures<Result>(
  database: Database,
  context: RequestContext,
  create: (readTolerantly: TolerantReader) => Result,
): Promise<Result> {
  const failures: IntegrityFailure[] = [];
  const result = create((read) => readOrReportIntegrityFailure(read, (failure) => failures.push(failure)));
  if (failures.length > 0) await database.transaction((tx) => reportIntegrityFailures(tx, context, failures));
  return result;
}
