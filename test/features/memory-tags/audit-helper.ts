import type { TestApp } from '../../helper.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';

/** Return the audit actions recorded while `work` ran. */
export async function collectAuditActions(test: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  return (await captureAuditEntries(test, work)).map(({ action }) => action);
}
