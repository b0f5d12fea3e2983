import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';

const USAGE = `Usage:
  npm run restore -- --from <folder>    restores a backup into the configured database and folders, which must be empty,
                                        and verifies rows, files and the audit trail
      --identity <file>                 also restores the keys, decrypted with this age identity, into DATA_DIR
      --keys <file>                     keys.age, where it is not in the folder of the backup
      --without-keys                    restores although keys are missing
      --unverified                      restores although the backup has no MAC
  npm run restore -- --from <folder> --identity <file> --keys-to <folder>
                                        only decrypts the keys, into secrets.json and encryption-keys.json
Exit codes: 0 everything was restored and verified, 1 something is missing or invalid, 64 invalid arguments, 65 the
folder is not a complete backup or was altered, 66 it cannot be read, 75 the database or the bucket is unavailable,
78 the target is not empty, keys or the MAC are missing, or invalid configuration, 130 interrupted.`;

readCommandArguments(USAGE, () => true);
const options = readOptions() ?? exitWithUsage(USAGE);
const { runAndExit } = await import('./command-context.ts');
const { restoreBackup } = await import('./backup/restore-backup.ts');
const { readEncryptedKeys, writeKeyFiles } = await import('./backup/backup-keys.ts');
const { InvalidBackupError, RestoreRefusedError } = await import('./backup/manifest.ts');

await runAndExit('restore', async (signal) => {
  try {
    const { identity, keysTo } = options;
    if (identity === undefined || keysTo === undefined) return await restoreBackup({ ...options, signal });
    const [secrets, encryptionKeys] = [join(keysTo, 'secrets.json'), join(keysTo, 'encryption-keys.json')];
    await writeKeyFiles({ secrets, encryptionKeys }, await readEncryptedKeys(options.keys, identity));
    console.log(`The keys are in ${keysTo}: secrets.json and encryption-keys.json.`);
    return 0;
  } catch (error) {
    if (signal.aborted) {
      console.error('Interrupted. Empty the database and the folders before the next attempt.');
      return EXIT_CODES.INTERRUPTED;
    }
    const code = getExitCode(error);
    if (code === undefined) throw error;
    console.error(`restore: ${(error as Error).message}`);
    return code;
  }
});

function getExitCode(error: unknown): number | undefined {
  if (error instanceof InvalidBackupError) return EXIT_CODES.NO_DATA;
  if (error instanceof RestoreRefusedError) return EXIT_CODES.CONFIGURATION;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'open' ? EXIT_CODES.NO_INPUT : undefined;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        from: { type: 'string' },
        identity: { type: 'string' },
        keys: { type: 'string' },
        'keys-to': { type: 'string' },
        'without-keys': { type: 'boolean', default: false },
        unverified: { type: 'boolean', default: false },
      },
    });
    const { from, identity, keys, 'keys-to': keysTo, 'without-keys': withoutKeys, unverified } = values;
    if (!from || (identity === undefined && (keys !== undefined || keysTo !== undefined))) return null;
    return {
      from: resolve(from),
      identity,
      keys: resolve(keys ?? join(from, 'keys.age')),
      keysTo: keysTo === undefined ? undefined : resolve(keysTo),
      withoutKeys,
      unverified,
    };
  } catch {
    return null;
  }
}
