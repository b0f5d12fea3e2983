import { type Config, loadConfig } from '../../config.ts';
import { ConfigError } from '../../shared/config-error.ts';
import { checkConfig } from '../../start/check-config.ts';
import { findConfigWarnings } from '../../start/find-config-warnings.ts';
import { formatErrorForTerminal } from '../../start/format-failure.ts';
import { getErrorExitCode } from '../../start/get-exit-code.ts';
import { createAddressChecks } from './address-checks.ts';
import { type Check, type CheckResult, createOk, createProblem, createWarning, runChecks } from './check.ts';
import { createDatabaseAccessChecks } from './database-access-checks.ts';
import { createDatabaseChecks } from './database-checks.ts';
import { createDatabaseConnector } from './doctor-database.ts';
import { createFileChecks } from './file-checks.ts';
import { createPaymentCheck } from './payment-checks.ts';
import { createProviderChecks } from './provider-checks.ts';
import { createRedisCheck } from './redis-check.ts';
import { createSecretsCheck } from './secret-checks.ts';
import { createWorkChecks } from './work-checks.ts';

/** Check the installation that the environment describes. Without a valid configuration nothing else is checked. */
export async function diagnose(environment: NodeJS.ProcessEnv): Promise<CheckResult[]> {
  const misspelled: string[] = [];
  try {
    const config = loadConfig(environment, (message) => misspelled.push(message));
    const { checks, close } = createChecks(config, misspelled);
    const results = await runChecks(checks);
    // Not awaited: a server that does not answer would delay the report.
    close().catch(() => undefined);
    return results;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = [...error.problems, ...misspelled].join('\n');
    return [{ name: 'configuration', ...createProblem('invalid; nothing else can be checked', advice) }];
  }
}

/** Create all checks, in the order of the report. */
export function createChecks(
  config: Config,
  misspelled: readonly string[] = [],
): { checks: Check[]; close(): Promise<void> } {
  const database = createDatabaseConnector(config);
  const checks = [
    createConfigurationCheck(config, misspelled),
    ...createDatabaseChecks(database),
    ...createDatabaseAccessChecks(config, database),
    createSecretsCheck(config, database),
    ...createWorkChecks(config, database),
    createRedisCheck(config),
    ...createFileChecks(config),
    ...createProviderChecks(config),
    createPaymentCheck(config),
    ...createAddressChecks(config),
  ];
  return { checks, close: () => database.close() };
}

function createConfigurationCheck(config: Config, misspelled: readonly string[]): Check {
  return {
    name: 'configuration',
    advice: 'Correct the settings.',
    async run() {
      try {
        await checkConfig(config);
      } catch (error) {
        if (getErrorExitCode(error) === 1) throw error;
        const advice =
          error instanceof ConfigError ? error.problems.join('\n') : formatErrorForTerminal(error);
        return createProblem('invalid', advice);
      }
      const warnings = [...misspelled, ...findConfigWarnings(config)];
      return warnings.length > 0
        ? createWarning('valid, but', warnings.join('\n'))
        : createOk(`valid, ${config.production ? 'production' : 'development'}`);
    },
  };
}
