import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';

const USAGE = `Usage:
  npm run backup -- --to <folder>    writes a backup of the database and the files into a new folder in this one; the
                                     service can run meanwhile
      --recipient <age1…>            also writes the keys, encrypted to this age public key
      --keep <number>                then removes all but the newest backups in this folder
Exit codes: 0 the backup is complete, 1 it failed, 64 invalid arguments, 75 the database or the bucket is unavailable,
78 invalid configuration, or the keys do not match the database, 130 interrupted. Only a complete backup is left.`;

readCommandArguments(USAGE, () => true);
const { to, recipient, keep } = readOptions() ?? exitWithUsage(USAGE);
const { isValidAgeRecipient } = await import('../shared/crypto/age-encryption.ts');
if (recipient !== undefined && !(await isValidAgeRecipient(recipient)))
  exitWithUsage(USAGE, 'The recipient is not an age public key.');
const { runSchemaCommand } = await import('./command-context.ts');
const { createBackup } = await import('./backup/create-backup.ts');
const { removeOldBackups } = await import('./backup/backup-folder.ts');
const { formatCountWithNoun } = await import('./format-count.ts');

await runSchemaCommand('backup', async (config, address, _log, signal) => {
  try {
    const { path, manifest } = await createBackup(config, address, { to, recipient, signal });
    const rows = manifest.database.tables.reduce((sum, table) => sum + table.rows, 0);
    const { bucket, count, bytes } = manifest.files;
    const files = `${formatCountWithNoun(count, 'file')} (${Math.ceil(bytes / 1_000_000)} MB)`;
    console.log(`Backup: ${path}`);
    console.log(`It has ${formatCountWithNoun(rows, 'row')} as of ${manifest.createdAt}.`);
    if (bucket === null) console.log(`It has ${files}.`);
    else console.log(`It has a list of ${files}. They stay in the bucket ${bucket} only.`);
    console.log(
      manifest.keys.areIncluded
        ? 'The keys are in keys.age. Store that file, and the identity that decrypts it, apart from the rest.'
        : 'The keys are not in it. Without them nobody can read encrypted values and files, or log in by password. Use --recipient, or store a copy of the keys in another place.',
    );
    if (keep !== undefined) {
      const removed = await removeOldBackups(to, keep);
      if (removed > 0) console.log(`${formatCountWithNoun(removed, 'older backup')} removed.`);
    }
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Interrupted. Nothing is left of the backup.');
    return EXIT_CODES.INTERRUPTED;
  }
});

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { to: { type: 'string' }, recipient: { type: 'string' }, keep: { type: 'string' } },
    });
    if (!values.to || (values.keep !== undefined && !/^[1-9]\d{0,4}$/.test(values.keep))) return null;
    const keep = values.keep === undefined ? undefined : Number(values.keep);
    return { to: resolve(values.to), recipient: values.recipient, keep };
  } catch {
    return null;
  }
}
