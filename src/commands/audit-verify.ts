import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { CheckedTrail } from '../features/audit/check-trail.ts';
import { verifyExport } from '../features/audit/verify-export.ts';
import { verifyTrail } from '../features/audit/verify-trail.ts';
import { onEndSignals } from '../process/shutdown.ts';
import { linesOf } from '../providers/checkpoints/checkpoint-file.ts';
import { EXIT } from '../start/exit-codes.ts';
import { failureText } from '../start/failure-text.ts';
import { runCommand } from './command-context.ts';
import { progressOn } from './progress.ts';

const USAGE = `Usage:
  npm run audit:verify                          verifies the trail in the database
  npm run audit:verify -- --checkpoints <file>  … also against checkpoints kept elsewhere; may be repeated
  npm run audit:verify -- --export <file> --public-key <file>
                                                verifies an exported trail, without a database
Ends with 0 when the trail is whole, with 1 when it is not.`;

/** As a shell counts an end by Ctrl-C. */
const BROKEN_OFF = 130;

const options = readOptions();
if (!options) {
  console.error(USAGE);
  process.exitCode = EXIT.USAGE;
} else if (options.file && options.key) {
  process.exitCode = await offline(options.file, options.key);
} else {
  await runCommand('audit:verify', ({ services, stopping }) =>
    unlessBrokenOff(stopping, async () => {
      const moreLines = [];
      for (const path of options.checkpoints) moreLines.push(...linesOf(await readFile(path, 'utf8')));
      const bar = progressOn(process.stderr, 'audit trail');
      const result = await verifyTrail(services.audit, { moreLines, progress: bar.step, signal: stopping });
      bar.end();
      console.log(`${result.checkpoints} checkpoints from outside the database were compared.`);
      if (result.unreadableLines > 0)
        console.log(`${result.unreadableLines} lines of checkpoints could not be read.`);
      if (result.waiting > 0)
        console.log(`${result.waiting} entries wait to be sealed, the oldest since ${result.waitingSince}.`);
      return tell(result);
    }),
  );
}

async function offline(path: string, keyFile: string): Promise<number> {
  const ending = new AbortController();
  onEndSignals(() => ending.abort());
  try {
    const publicKeys = await readFile(keyFile, 'utf8');
    return await unlessBrokenOff(ending.signal, async () =>
      tell(await verifyExport({ path, publicKeys, signal: ending.signal })),
    );
  } catch (error) {
    console.error(`audit:verify: ${failureText(error)}`);
    return 1;
  }
}

function tell({ finding, sequence, droppedThrough, batches }: CheckedTrail): number {
  if (droppedThrough > 0) console.log(`Up to ${droppedThrough} they were dropped because of their age.`);
  if (!finding) {
    console.log(
      `The audit trail is whole: ${sequence - droppedThrough} entries in ${batches} signed batches.`,
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

async function unlessBrokenOff(signal: AbortSignal, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Broken off.');
    return BROKEN_OFF;
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
    if ((file === undefined) !== (key === undefined) || (file && checkpoints.length > 0)) return null;
    return { file, key, checkpoints };
  } catch {
    return null;
  }
}
