import { type Config, loadConfig } from '../config.ts';
import { CHECK_CONFIG_OPTION, readCommandArguments } from '../shared/command-usage.ts';
import { ConfigError } from '../shared/config-error.ts';
import { findFreePort } from './find-free-port.ts';
import { getLanAddress } from './lan-address.ts';

const USAGE = `Usage:
  npm start                      runs the service, configured by environment variables
                                 (docs/reference/configuration.md)
  npm start -- --lan             also listens on the local network, and prints a QR code of its address
  npm start -- --check-config    checks the settings and ends, without connecting to anything; exit code 78 for
                                 invalid ones
  npm start -- --attach          uses the embedded database that another process runs in the data folder`;

/** Of `npm run dev`, whose database outlives the service. */
export const ATTACH_OPTION = '--attach';

const OPTIONS = ['--lan', CHECK_CONFIG_OPTION, ATTACH_OPTION];

export interface StartSettings {
  config: Config;
  isLan: boolean;
  /** Only check the settings. */
  isCheck: boolean;
  /** Another process has locked the data folder, and runs the embedded database in it. */
  isAttached: boolean;
}

/** Read the settings of a start; replaces PORT 0, since images contain the address. @throws ConfigError */
export async function readStartSettings(
  environment: Record<string, string | undefined>,
  commandLine: readonly string[],
): Promise<StartSettings> {
  readCommandArguments(USAGE, (words) => words.every((word) => OPTIONS.includes(word)), commandLine);
  const isLan = commandLine.includes('--lan');
  const isCheck = commandLine.includes(CHECK_CONFIG_OPTION);
  const isAttached = commandLine.includes(ATTACH_OPTION);
  const config = loadConfig(environment);
  const load = (changes: Record<string, string>) => loadConfig({ ...environment, ...changes }, () => {});
  const PORT = String(config.port || (await findFreePort()));
  if (!isLan) return { config: load({ PORT }), isLan, isCheck, isAttached };
  const address = getLanAddress();
  if (!address) throw new ConfigError(['--lan: this machine has no network address.']);
  const PUBLIC_BASE_URL = environment.PUBLIC_BASE_URL || new URL(`http://${address}:${PORT}`).origin;
  return { config: load({ PORT, HOST: '0.0.0.0', PUBLIC_BASE_URL }), isLan, isCheck, isAttached };
}
