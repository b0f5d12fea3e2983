import { type Config, loadConfig } from '../config.ts';
import { freePort } from '../sandbox/free-port.ts';
import { ConfigError } from '../shared/config-error.ts';
import { lanAddress } from './lan-address.ts';

/**
 * The settings of a start: the environment, and what the command line says (`--lan`). A PORT of 0 becomes
 * a free one here, since addresses in images name it. Throws ConfigError.
 */
export async function readSettings(
  environment: Record<string, string | undefined>,
  commandLine: readonly string[],
): Promise<{ config: Config; lan: boolean }> {
  const unknown = commandLine.filter((flag) => flag !== '--lan');
  if (unknown.length > 0) throw new ConfigError([`${unknown.join(' ')}: not known; there is only --lan.`]);
  const lan = commandLine.includes('--lan');
  const config = loadConfig(environment);
  const PORT = String(config.port || (await freePort()));
  if (!lan) return { config: loadConfig({ ...environment, PORT }), lan };
  const address = lanAddress();
  if (!address) throw new ConfigError(['--lan: this machine has no address in a network.']);
  const PUBLIC_BASE_URL = environment.PUBLIC_BASE_URL || `http://${address}:${PORT}`;
  return { config: loadConfig({ ...environment, PORT, HOST: '0.0.0.0', PUBLIC_BASE_URL }), lan };
}
