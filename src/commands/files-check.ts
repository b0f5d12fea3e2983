import type { FileCheckFinding } from '../features/system/index.ts';
import { readCommandArguments } from '../shared/command-usage.ts';
import { formatCountWithNoun } from './format-count.ts';
import { createCommandProgress } from './progress.ts';

const commandArguments = readCommandArguments(
  `Usage:
  npm run maintenance -- check-files            compares stored files with their references: unreferenced files older than an hour,
                                    incomplete files older than a day, and missing files
  npm run maintenance -- check-files --repair  removes unreferenced and incomplete files
Exit codes: 0 no remaining problems, 1 remaining problems.`,
  (args) => args.length === 0 || (args.length === 1 && args[0] === '--repair'),
);
const { runCommand } = await import('./command-context.ts');
const { checkStoredFileConsistency, createFileCheckFindingCounts, listFoundFileProblems } = await import(
  '../features/system/index.ts'
);
const { insertAuditEntry } = await import('../platform/audit.repository.ts');

const PROBLEM_DESCRIPTIONS: Record<FileCheckFinding['problem'], string> = {
  UNNAMED: 'not referenced',
  UNFINISHED: 'incomplete',
  MISSING: 'missing',
};

await runCommand('maintenance check-files', async ({ services, signal }) => {
  const progress = createCommandProgress(process.stderr, 'files');
  const counts = createFileCheckFindingCounts();
  const repair = commandArguments.length > 0 ? 'ALL' : 'NOTHING';
  const onFinding = (finding: FileCheckFinding) => {
    counts.add(finding);
    const { problem, file, id, isRepaired } = finding;
    console.log(
      `${file}: ${PROBLEM_DESCRIPTIONS[problem]}${id ? ` (referenced by ${id})` : ''}${isRepaired ? ', removed' : ''}`,
    );
  };
  await checkStoredFileConsistency(services, { repair, onFinding, progress, signal });
  progress.end();
  if (signal.aborted) return 1;
  const all = Object.values(counts.byProblem);
  const sum = (of: 'repaired' | 'unrepaired') => all.reduce((total, one) => total + one[of], 0);
  console.log(`${formatCountWithNoun(sum('unrepaired'), 'problem')} left, ${sum('repaired')} repaired.`);
  await insertAuditEntry(services.database.client, {
    action: 'FILES_CHECKED',
    outcome: counts.isConsistent() ? 'SUCCESS' : 'FAILURE',
    operation: 'files:check',
    requestId: 'command',
    changes: listFoundFileProblems(counts),
  });
  return counts.isConsistent() ? 0 : 1;
});
