import { checkFiles, type FileFinding } from '../features/files/check-files.ts';
import { newFileCounts, problemsIn } from '../features/files/file-counts.ts';
import { addAuditEntry } from '../platform/audit.repository.ts';
import { readWords } from '../shared/usage.ts';
import { runCommand } from './command-context.ts';
import { counted } from './counted.ts';
import { progressOn } from './progress.ts';

const words = readWords(
  `Usage:
  npm run files:check             compares files with what names them: files that nothing names and that are older than an
                                  hour, what a stop left of a file more than a day ago, files that are not there
  npm run files:check -- --mend   removes the first two, and draws QR images again that are not there
Ends with 0 where all agrees, or does so now, and with 1 where something is wrong.`,
  (given) => given.length === 0 || (given.length === 1 && given[0] === '--mend'),
);

const SENTENCES: Record<FileFinding['problem'], string> = {
  UNNAMED: 'nothing names it',
  UNFINISHED: 'it was never written to its end',
  MISSING: 'it is not there',
};

await runCommand('files:check', async ({ services, stopping }) => {
  const progress = progressOn(process.stderr, 'files');
  const counts = newFileCounts();
  const mend = words.length > 0 ? 'ALL' : 'NOTHING';
  const onFinding = (finding: FileFinding) => {
    counts.add(finding);
    const { problem, file, id, isMended } = finding;
    const mended = problem === 'MISSING' ? ', drawn again' : ', removed';
    console.log(`${file}: ${SENTENCES[problem]}${id ? ` (named by ${id})` : ''}${isMended ? mended : ''}`);
  };
  await checkFiles(services, { mend, onFinding, progress, stopping });
  progress.end();
  if (stopping.aborted) return 1;
  const all = Object.values(counts.found);
  const sum = (of: 'mended' | 'left') => all.reduce((total, one) => total + one[of], 0);
  console.log(`${counted(sum('left'), 'file')} wrong, ${sum('mended')} mended.`);
  await addAuditEntry(services.database.client, {
    action: 'FILES_CHECKED',
    outcome: counts.isRight() ? 'SUCCESS' : 'FAILURE',
    operation: 'files:check',
    requestId: 'command',
    changes: problemsIn(counts),
  });
  return counts.isRight() ? 0 : 1;
});
