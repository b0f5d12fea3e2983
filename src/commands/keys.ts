import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandArguments } from '../shared/command-usage.ts';

const USAGE = `Usage:
  npm run keys -- list         lists the encryption keys with the number of values under each
  npm run keys -- add          adds a key, which becomes the primary key
  npm run keys -- rotate       re-encrypts everything under the primary key while the service runs
  npm run keys -- retire <id>  retires a key that is no longer in use`;

const [subcommand = '', id = ''] = readCommandArguments(USAGE, ([word = '', ...rest]) =>
  word === 'retire'
    ? rest.length === 1 && /^[a-z0-9]{1,16}$/.test(rest[0] ?? '')
    : ['list', 'add', 'rotate'].includes(word) && rest.length === 0,
);
const name = `keys ${subcommand}`;
const { loadConfig } = await import('../config.ts');
const { getKeyFilePath } = await import('../start/keys/key-file-store.ts');
const { runCommand } = await import('./command-context.ts');
const { addEncryptionKey } = await import('./keys/add-key.ts');
const { printEncryptionKeys } = await import('./keys/list-keys.ts');
const { retireEncryptionKey } = await import('./keys/retire-key.ts');
const { reencryptUnderPrimaryKey } = await import('./keys/rotate-keys.ts');

if (subcommand === 'list') {
  await runCommand(name, ({ services }) => printEncryptionKeys(services));
} else if (subcommand === 'add') {
  await addOrCreateKey();
} else if (subcommand === 'rotate') {
  await runCommand(name, ({ services, signal }) => reencryptUnderPrimaryKey(services, signal));
} else {
  await runCommand(name, ({ services }) => retireEncryptionKey(services, id));
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
