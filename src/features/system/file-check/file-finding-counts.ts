import type { FileCheckFinding } from './check-files.ts';

export interface FileCheckFindingCounts {
  byProblem: Record<FileCheckFinding['problem'], { repaired: number; unrepaired: number }>;
  add(finding: FileCheckFinding): void;
  /** Whether every finding was repaired. */
  isConsistent(): boolean;
}

export function createFileCheckFindingCounts(): FileCheckFindingCounts {
  const byProblem = {
    UNNAMED: { repaired: 0, unrepaired: 0 },
    UNFINISHED: { repaired: 0, unrepaired: 0 },
    MISSING: { repaired: 0, unrepaired: 0 },
  };
  return {
    byProblem,
    add({ problem, isRepaired }) {
      byProblem[problem][isRepaired ? 'repaired' : 'unrepaired'] += 1;
    },
    isConsistent: () => Object.values(byProblem).every(({ unrepaired }) => unrepaired === 0),
  };
}

/** List the problems found, for the audit trail. */
export function listFoundFileProblems({ byProblem }: FileCheckFindingCounts): string[] {
  return Object.entries(byProblem)
    .filter(([, { repaired, unrepaired }]) => repaired + unrepaired > 0)
    .map(([problem]) => problem.toLowerCase());
}
