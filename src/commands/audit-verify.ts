import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  PublicKeysError,
  TrailExportFormatError,
  type TrailVerification,
  verifyDatabaseTrail,
  verifyTrailExport,
} from '../features/audit/index.ts';
import { handleTerminationSignal } from '../process/shutdown.ts';
import { splitNonEmptyLines } from '../providers/checkpoints/checkpoint-file.ts';
import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';
import { formatFailure } from '../start/format-failure.ts';
import { getExitCode } from '../start/get-exit-code.ts';
import { type CommandContext, runCommand } from './command-context.ts';
import { formatCount } from './format-count.ts';
import { createProgress } from './progress.ts';

const USAGE = `Usage:
  npm run audit:verify                          verifies the trail in the database
  npm run audit:verify -- --checkpoints <file>  … also against checkpoints kept elsewhere; may be repeated
  npm run audit:verify -- --export <file> --public-key <file> [--checkpoints <file>]
                                                verifies an exported trail, without a database
Ends with 0 when the trail is whole, with 1 when it is not, with 64 for what is typed wrong, with 65 for a file that
holds no exported trail or no public key, with 66 for a file that cannot be read, with 70 when the check itself fails, with
75 when the database does not answer, with 78 for a wrong configuration, with 130 when it is broken off.`;

readCommandArguments(USAGE, () => true);
const options = readOptions() ?? exitWithUsage(USAGE);
const extraCheckpointLines: string[] = [];
for (const path of options.checkpoints)
  extraCheckpointLines.push(...splitNonEmptyLines(await readInput(path)));

if (options.file !== undefined && options.key !== undefined) {
  process.exitCode = await verifyOffline(options.file, await readInput(options.key));
} else {
  const work = ({ services, signal }: CommandContext) =>
    runInterruptible(signal, async () => {
      const bar = createProgress(process.stderr, 'audit trail');
      const result = await verifyDatabaseTrail(services.audit, {
        extraCheckpointLines,
        onProgress: bar.step,
        signal,
      });
      bar.end();
      printCheckpoints(result);
      const { waiting, waitingSince } = result;
      if (waiting > 0)
        console.log(
          `${formatCount(waiting, 'entry waits', 'entries wait')} to be sealed, the oldest since ${waitingSince}.`,
        );
      return printResult(result);
    });
  await runCommand('audit:verify', work, { failureExitCode: EXIT_CODES.SOFTWARE });
}

async function verifyOffline(path: string, publicKeys: string): Promise<number> {
  const ending = new AbortController();
  handleTerminationSignal(() => ending.abort());
  try {
    return await runInterruptible(ending.signal, async () => {
      const { signal } = ending;
      const result = await verifyTrailExport({
        path,
        publicKeys,
        checkpointLines: extraCheckpointLines,
        signal,
      });
      if (extraCheckpointLines.length > 0) printCheckpoints(result);
      return printResult(result);
    });
  } catch (error) {
    if (isReadError(error)) exitWithUnreadableInput(path, error);
    console.error(`audit:verify: ${formatFailure(error)}`);
    const isNoData = error instanceof TrailExportFormatError || error instanceof PublicKeysError;
    return isNoData ? EXIT_CODES.NO_DATA : getExitCode(error, EXIT_CODES.SOFTWARE);
  }
}

async function readInput(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    exitWithUnreadableInput(path, error);
  }
}

function exitWithUnreadableInput(path: string, error: unknown): never {
  console.error(`audit:verify: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  process.exit(EXIT_CODES.NO_INPUT);
}

function isReadError(error: unknown): boolean {
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall === 'open' || syscall === 'read';
}

function printCheckpoints(result: { checkpoints: number; unreadableLines: number }): void {
  const { checkpoints, unreadableLines } = result;
  console.log(
    `${formatCount(checkpoints, 'checkpoint from elsewhere was', 'checkpoints from elsewhere were')} compared.`,
  );
  if (unreadableLines > 0)
    console.log(`${formatCount(unreadableLines, 'line', 'lines')} of checkpoints could not be read.`);
}

function printResult({ finding, sequence, droppedThrough, batches }: TrailVerification): number {
  if (droppedThrough > 0) console.log(`Up to ${droppedThrough} they were dropped because of their age.`);
  if (!finding) {
    const entries = formatCount(sequence - droppedThrough, 'entry', 'entries');
    console.log(
      `The audit trail is whole: ${entries} in ${formatCount(batches, 'signed batch', 'signed batches')}.`,
    );
    return 0;
  }
  const { kind, through, entryId, meaning } = finding;
  const range = through !== finding.sequence ? ` (to ${through})` : '';
  const place = finding.sequence === null ? 'not in the chain' : `at ${finding.sequence}${range}`;
  console.error(
    `The audit trail is wrong: ${kind} ${place}${entryId ? `, entry ${entryId}` : ''}. ${meaning}`,
  );
  console.error(`Proved up to ${sequence}.`);
  return 1;
}

async function runInterruptible(signal: AbortSignal, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Broken off.');
    return EXIT_CODES.INTERRUPTED;
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        export: { type: 'string' },
        'public-key': { type: 'string' },
        checkpoints: { type: 'string', multiple: true, default: [] },
      },
    });
    const { export: file, 'public-key': key, checkpoints } = values;
    if ((file === undefined) !== (key === undefined)) return null;
    return { file, key, checkpoints };
  } catch {
    return null;
  }
}
