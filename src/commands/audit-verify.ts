import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { TrailVerification } from '../features/audit/index.ts';
import { handleTerminationSignal } from '../process/shutdown.ts';
import { splitNonEmptyLines } from '../providers/checkpoints/checkpoint-file.ts';
import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';
import { formatErrorForTerminal } from '../start/format-failure.ts';
import { getErrorExitCode } from '../start/get-exit-code.ts';
import type { CommandContext } from './command-context.ts';
import { formatCountWithNoun } from './format-count.ts';
import { createCommandProgress } from './progress.ts';

const USAGE = `Usage:
  npm run audit -- verify                       verifies the trail in the database
  npm run audit -- verify --checkpoints <file>  also compares it with external checkpoints; can be repeated
  npm run audit -- verify --export <file> --public-key <file> [--checkpoints <file>]
                                                verifies an exported trail, without a database
Exit codes: 0 the trail is valid, 1 it is not, 64 invalid arguments, 65 a file is not an exported trail or has no public
key, 66 a file cannot be read, 70 the verification failed to run, 75 the database is unavailable, 78 invalid
configuration, 130 interrupted.`;

readCommandArguments(USAGE, () => true);
const options = readOptions() ?? exitWithUsage(USAGE);
const { runCommand } = await import('./command-context.ts');
const { PublicKeysError, TrailExportFormatError, verifyAuditTrailExport, verifyDatabaseAuditTrail } =
  await import('../features/audit/index.ts');
const extraCheckpointLines: string[] = [];
for (const path of options.checkpoints)
  extraCheckpointLines.push(...splitNonEmptyLines(await readInput(path)));

if (options.file !== undefined && options.key !== undefined) {
  process.exitCode = await verifyOffline(options.file, await readInput(options.key));
} else {
  const work = ({ services, signal }: CommandContext) =>
    runInterruptible(signal, async () => {
      const bar = createCommandProgress(process.stderr, 'audit trail');
      const result = await verifyDatabaseAuditTrail(services.audit, {
        extraCheckpointLines,
        onProgress: bar.step,
        signal,
      });
      bar.end();
      printCheckpoints(result);
      const { waiting, waitingSince } = result;
      if (waiting > 0)
        console.log(
          `${formatCountWithNoun(waiting, 'entry waits', 'entries wait')} to be sealed, the oldest since ${waitingSince}.`,
        );
      return printResult(result);
    });
  await runCommand('audit verify', work, { failureExitCode: EXIT_CODES.SOFTWARE });
}

async function verifyOffline(path: string, publicKeys: string): Promise<number> {
  const ending = new AbortController();
  handleTerminationSignal(() => ending.abort());
  try {
    return await runInterruptible(ending.signal, async () => {
      const { signal } = ending;
      const result = await verifyAuditTrailExport({
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
    console.error(`audit verify: ${formatErrorForTerminal(error)}`);
    const isNoData = error instanceof TrailExportFormatError || error instanceof PublicKeysError;
    return isNoData ? EXIT_CODES.NO_DATA : getErrorExitCode(error, EXIT_CODES.SOFTWARE);
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
  console.error(`audit verify: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  process.exit(EXIT_CODES.NO_INPUT);
}

function isReadError(error: unknown): boolean {
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall === 'open' || syscall === 'read';
}

function printCheckpoints(result: { checkpoints: number; unreadableLines: number }): void {
  const { checkpoints, unreadableLines } = result;
  console.log(
    `${formatCountWithNoun(checkpoints, 'external checkpoint was', 'external checkpoints were')} compared.`,
  );
  if (unreadableLines > 0)
    console.log(`${formatCountWithNoun(unreadableLines, 'checkpoint line')} could not be read.`);
}

function printResult({ finding, sequence, droppedThrough, batches }: TrailVerification): number {
  if (droppedThrough > 0)
    console.log(`Entries up to ${droppedThrough} were dropped when their retention ended.`);
  if (!finding) {
    const entries = formatCountWithNoun(sequence - droppedThrough, 'entry', 'entries');
    console.log(
      `The audit trail is valid: ${entries} in ${formatCountWithNoun(batches, 'signed batch', 'signed batches')}.`,
    );
    return 0;
  }
  const { kind, through, entryId, meaning } = finding;
  const range = through !== finding.sequence ? ` (to ${through})` : '';
  const place = finding.sequence === null ? 'not in the chain' : `at ${finding.sequence}${range}`;
  console.error(
    `The audit trail is invalid: ${kind} ${place}${entryId ? `, entry ${entryId}` : ''}. ${meaning}`,
  );
  console.error(`Verified up to ${sequence}.`);
  return 1;
}

async function runInterruptible(signal: AbortSignal, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Interrupted.');
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
