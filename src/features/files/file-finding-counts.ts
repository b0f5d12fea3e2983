import type { FileFinding } from './check-files.ts';

/** How many findings there were of each kind, mended or not. */
export interface FileFindingCounts {
  found: Record<FileFinding['problem'], { mended: number; left: number }>;
  add(finding: FileFinding): void;
  /** Whether nothing was found that is still wrong. */
  isRight(): boolean;
}

/** Counts findings. */
export function createFileFindingCounts(): FileFindingCounts {
  const found = {
    UNNAMED: { mended: 0, left: 0 },
    UNFINISHED: { mended: 0, left: 0 },
    MISSING: { mended: 0, left: 0 },
  };
  return {
    found,
    add({ problem, isMended }) {
      found[problem][isMended ? 'mended' : 'left'] += 1;
    },
    isRight: () => Object.values(found).every(({ left }) => left === 0),
  };
}

/** The kinds of what was found, for the audit trail. */
export function listFoundProblems({ found }: FileFindingCounts): string[] {
  return Object.entries(found)
    .filter(([, { mended, left }]) => mended + left > 0)
    .map(([problem]) => problem.toLowerCase());
}
