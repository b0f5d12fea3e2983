import type { ChildProcess } from 'node:child_process';
import { nextMessage, withForked } from '../forked.ts';
import { quantile } from '../numbers.ts';
import type { Goal, Measured } from '../table.ts';
import type { Seen, Task } from './load-process.ts';

export type Side = 'service' | 'baseline';

/** What is measured of both sides, a round each. */
export type Rounds<Value> = Record<Side, Value[]>;

export interface Turns {
  rounds: number;
  /** Seconds of a turn. */
  seconds: number;
  /** Where it stands. */
  say(text: string): void;
}

const WARM_UP_SECONDS = 2;

/** Has both sides take turns; which of them is first changes from round to round. */
export async function inTurns<Value>(
  { rounds, say }: Pick<Turns, 'rounds' | 'say'>,
  measure: (side: Side) => Promise<Value>,
): Promise<Rounds<Value>> {
  const seen: Rounds<Value> = { service: [], baseline: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['service', 'baseline'] as const) : (['baseline', 'service'] as const);
    for (const side of order) seen[side].push(await measure(side));
    say(`${round + 1} of ${rounds} rounds`);
  }
  return seen;
}

/** Sends the requests of both sides in turns, by a client in a process of its own. */
export async function compareLoads(
  turns: Turns,
  sides: Record<Side, Omit<Task, 'seconds'>>,
): Promise<Rounds<Seen>> {
  return withClient(async (run) => {
    for (const side of ['service', 'baseline'] as const)
      await run({ ...sides[side], seconds: Math.min(WARM_UP_SECONDS, turns.seconds) });
    return inTurns(turns, (side) => run({ ...sides[side], seconds: turns.seconds }));
  });
}

/** A client in a process of its own. */
export function withClient<Result>(
  work: (run: (task: Task) => Promise<Seen>) => Promise<Result>,
): Promise<Result> {
  return withForked('load/load-process.ts', [], (client: ChildProcess) =>
    work(async (task) => {
      client.send(task);
      return nextMessage<Seen>(client);
    }),
  );
}

const MEASURES = {
  rate: { measure: 'answers a second', unit: '/s', of: ({ rate }: Seen) => rate },
  median: { measure: 'median', unit: 'ms', of: ({ ms }: Seen) => quantile(ms, 0.5) },
  p99: { measure: 'p99', unit: 'ms', of: ({ ms }: Seen) => quantile(ms, 0.99) },
} as const;

/** Lines of the table for some measures of two loads. */
export function measuresOf(
  row: string,
  { service, baseline }: Rounds<Seen>,
  goals: Partial<Record<keyof typeof MEASURES, Goal | null>>,
): Measured[] {
  const failed = [...service, ...baseline].reduce((sum, seen) => sum + seen.failed, 0);
  const asked = (Object.keys(MEASURES) as (keyof typeof MEASURES)[]).filter((name) => name in goals);
  return asked.map((name) => {
    const { measure, unit, of } = MEASURES[name];
    const values = { service: service.map(of), baseline: baseline.map(of) };
    return { row, measure, unit, ...values, goal: goals[name] ?? null, failed };
  });
}
