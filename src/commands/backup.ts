import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { HOUR_MS } from '../shared/durations.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';

const USAGE = `Usage:
  npm run backup -- --to <folder>    writes a backup of the database and the files into a new folder in this one; the
                                     service can run meanwhile
      --recipient <age1…>            also writes the keys, encrypted to this age public key; default: BACKUP_RECIPIENT
      --keep <number>                then removes all but the newest backups in this folder
      --every <hours>h               repeats it until SIGTERM: whenever the newest backup is that old, and an hour after
                                     a failure; at most 168h
  npm run backup -- --to <folder> --check-age <hours>h
                                     only checks that the newest backup is not older
Exit codes: 0 the backup is complete or new enough, or --every was stopped, 1 it failed or is too old, 64 invalid
arguments, 75 the database or the bucket is unavailable, 78 invalid configuration, or the keys do not match the
database, 130 interrupted. Only a complete backup is left.`;

const MAX_HOURS = 168;

readCommandArguments(USAGE, () => true);
const { to, recipient, keep, every, checkAge } = readOptions() ?? exitWithUsage(USAGE);
const { findNewestBackupTime, removeOldBackups } = await import('./backup/backup-folder.ts');
if (checkAge !== undefined) process.exit(await checkNewestBackup(checkAge));
const { isValidAgeRecipient } = await import('../shared/crypto/age-encryption.ts');
if (recipient !== undefined && !(await isValidAgeRecipient(recipient)))
  exitWithUsage(USAGE, 'The recipient is not an age public key.');
const { loadConfig } = await import('../config.ts');
const { runAndExit, runAndPrintError, runWithDatabaseServer } = await import('./command-context.ts');
const { createBackup } = await import('./backup/create-backup.ts');
const { repeatBackup } = await import('./backup/repeat-backup.ts');
const { formatCountWithNoun } = await import('./format-count.ts');

await runAndExit('backup', async (signal) => {
  if (every === undefined) return backUp(signal);
  await repeatBackup({
    intervalMs: every * HOUR_MS,
    lastBackupAt: await findNewestBackupTime(to),
    runBackup: async () => (await runAndPrintError('backup', () => backUp(signal))) === 0,
    signal,
  });
  return 0;
});

async function backUp(signal: AbortSignal): Promise<number> {
  const config = loadConfig(process.env);
  try {
    const { path, manifest, hasMac } = await runWithDatabaseServer(config, {}, (address) =>
      createBackup(config, address, { to, recipient, signal }),
    );
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
    if (!hasMac)
      console.log(
        'It has no MAC, because this machine does not have the keys of the database: nobody can prove later that it was not altered.',
      );
    if (keep !== undefined) {
      const removed = await removeOldBackups(to, keep);
      if (removed > 0) console.log(`${formatCountWithNoun(removed, 'older backup')} removed.`);
    }
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Interrupted. The unfinished backup was removed.');
    return EXIT_CODES.INTERRUPTED;
  }
}

async function checkNewestBackup(maxHours: number): Promise<number> {
  const newest = await findNewestBackupTime(to);
  if (newest === undefined) {
    console.error(`There is no complete backup in ${to}.`);
    return 1;
  }
  console.log(`Newest backup: ${new Date(newest).toISOString()}`);
  return Date.now() - newest > maxHours * HOUR_MS ? 1 : 0;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        to: { type: 'string' },
        recipient: { type: 'string' },
        keep: { type: 'string' },
        every: { type: 'string' },
        'check-age': { type: 'string' },
      },
    });
    const { to, keep } = values;
    const checkAge = parseHours(values['check-age']);
    const hasOtherOption = values.recipient !== undefined || keep !== undefined || values.every !== undefined;
    if (!to || (checkAge !== undefined && hasOtherOption)) return null;
    if (keep !== undefined && !/^[1-9]\d{0,4}$/.test(keep)) return null;
    return {
      to: resolve(to),
      recipient: values.recipient ?? (process.env.BACKUP_RECIPIENT || undefined),
      keep: keep === undefined ? undefined : Number(keep),
      every: parseHours(values.every),
      checkAge,
    };
  } catch {
    return null;
  }
}

/** @throws RangeError */
function parseHours(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hours = Number(/^([1-9]\d{0,2})h$/.exec(text)?.[1]);
  if (hours <= MAX_HOURS) return hours;
  throw new RangeError('invalid hours');
}
