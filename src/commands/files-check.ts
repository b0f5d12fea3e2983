import {
  checkStoredFileConsistency,
  createFileFindingCounts,
  type FileFinding,
  listFoundProblems,
} from '../features/system/index.ts';
import { insertAuditEntry } from '../platform/audit.repository.ts';
import { readCommandArguments } from '../shared/command-usage.ts';
import { runCommand } from './command-context.ts';
import { formatCount } from './format-count.ts';
import { createProgress } from './progress.ts';

const commandArguments = readCommandArguments(
  `Usage:
  npm run files:check             compares files with what names them: files that nothing names and that are older than an
                                  hour, what a stop left of a file more than a day ago, files that are not there
  npm run files:check -- --repair   removes the first two, and draws QR images again that are not there
Ends with 0 where all agrees, or does so now, and with 1 where something is wrong.`,
  (args) => args.length === 0 || (args.length === 1 && args[0] === '--repair'),
);

const PROBLEM_DESCRIPTIONS: Record<FileFinding['problem'], string> = {
  UNNAMED: 'nothing names it',
  UNFINISHED: 'it was never written to its end',
  MISSING: 'it is not there',
};

await runCommand('files:check', async ({ services, signal }) => {
  const progress = createProgress(process.stderr, 'files');
  const counts = createFileFindingCounts();
  const repair = commandArguments.length > 0 ? 'ALL' : 'NOTHING';
  const onFinding = (finding: FileFinding) => {
    counts.add(finding);
    const { problem, file, id, isRepaired } = finding;
    const repairNote = problem === 'MISSING' ? ', drawn again' : ', removed';
    console.log(
      `${file}: ${PROBLEM_DESCRIPTIONS[problem]}${id ? ` (named by ${id})` : ''}${isRepaired ? repairNote : ''}`,
    );
  };
  await checkStoredFileConsistency(services, { repair, onFinding, progress, signal });
  progress.end();
  if (signal.aborted) return 1;
  const all = Object.values(counts.byProblem);
  const sum = (of: 'repaired' | 'unrepaired') => all.reduce((total, one) => total + one[of], 0);
  console.log(`${formatCount(sum('unrepaired'), 'file')} wrong, ${sum('repaired')} repaired.`);
  await insertAuditEntry(services.database.client, {
    action: 'FILES_CHECKED',
    outcome: counts.isConsistent() ? 'SUCCESS' : 'FAILURE',
    operation: 'files:check',
    requestId: 'command',
    changes: listFoundProblems(counts),
  });
  return counts.isConsistent() ? 0 : 1;
});
