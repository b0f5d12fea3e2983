import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../config.ts';
import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { getKeyFilePath } from '../start/keys/key-file-store.ts';
import { runCommand } from './command-context.ts';
import { addEncryptionKey } from './keys/add-key.ts';
import { printEncryptionKeys } from './keys/list-keys.ts';
import { retireEncryptionKey } from './keys/retire-key.ts';
import { reencryptUnderPrimaryKey } from './keys/rotate-keys.ts';

const USAGE = `Usage:
  npm run keys:list              lists the encryption keys with the number of values under each
  npm run keys:add               adds a key, which becomes the primary key
  npm run keys:rotate            re-encrypts everything under the primary key while the service runs
  npm run keys:retire -- <id>    retires a key that is no longer in use`;

const [subcommand = '', id, ...rest] = readCommandArguments(USAGE, () => true);
const name = `keys:${subcommand}`;

if (subcommand === 'list' && id === undefined) {
  await runCommand(name, ({ services }) => printEncryptionKeys(services));
} else if (subcommand === 'add' && id === undefined) {
  await addOrCreateKey();
} else if (subcommand === 'rotate' && id === undefined) {
  await runCommand(name, ({ services, signal }) => reencryptUnderPrimaryKey(services, signal));
} else if (subcommand === 'retire' && id !== undefined && /^[a-z0-9]{1,16}$/.test(id) && rest.length === 0) {
  await runCommand(name, ({ services }) => retireEncryptionKey(services, id));
} else {
  exitWithUsage(USAGE);
}

async function addOrCreateKey(): Promise<void> {
  const first = getFirstKeyPath();
  await runCommand(
    name,
    async ({ services, signal }) => {
      if (first === null) return addEncryptionKey(services, signal);
      console.log(`The first key, ${services.keyRing.current().primary}, is in ${first}.`);
      return 0;
    },
    { canCreateKeys: true, canCreateDatabase: true },
  );
}

/** Get the path of the first key, created for an unused database; null where keys exist already. */
function getFirstKeyPath(): string | null {
  try {
    const config = loadConfig(process.env);
    const path = getKeyFilePath(config);
    const candidates = path === null ? [] : [path, join(config.dataDir, 'secrets.json')];
    return candidates.some((candidate) => existsSync(candidate)) ? null : path;
  } catch {
    // The command reports a wrong configuration itself.
    return null;
  }
}
