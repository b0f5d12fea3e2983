import type { TestApp } from '../../helper.ts';
import { trailOf } from '../trail.ts';

/** The actions that the trail got while `work` ran. */
export async function collectAuditActions(test: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  return (await trailOf(test, work)).map(({ action }) => action);
}
