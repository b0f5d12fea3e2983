import type { FileFinding } from './check-files.ts';

export interface FileFindingCounts {
  byProblem: Record<FileFinding['problem'], { repaired: number; unrepaired: number }>;
  add(finding: FileFinding): void;
  /** Whether every finding was repaired. */
  isConsistent(): boolean;
}

export function createFileFindingCounts(): FileFindingCounts {
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
export function listFoundProblems({ byProblem }: FileFindingCounts): string[] {
  return Object.entries(byProblem)
    .filter(([, { repaired, unrepaired }]) => repaired + unrepaired > 0)
    .map(([problem]) => problem.toLowerCase());
}
