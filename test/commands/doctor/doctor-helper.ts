import { type CheckResult, runChecks } from '../../../src/commands/doctor/check.ts';
import { createChecks } from '../../../src/commands/doctor/run-doctor.ts';
import { loadConfig } from '../../../src/config.ts';

/** Run the checks of these names for an installation with these settings; results by name. */
export async function diagnose(
  environment: Record<string, string>,
  ...names: string[]
): Promise<Record<string, CheckResult>> {
  const { checks, close } = createChecks(loadConfig({ NODE_ENV: 'test', ...environment }));
  for (const name of names)
    if (!checks.some((check) => check.name === name)) throw new Error(`There is no check ${name}.`);
  const results = await runChecks(checks.filter(({ name }) => names.includes(name)));
  await close();
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

/** Run one check; undefined where it has no result. */
export async function diagnoseOne(
  name: string,
  environment: Record<string, string>,
): Promise<CheckResult | undefined> {
  return (await diagnose(environment, name))[name];
}
