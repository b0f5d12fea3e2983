import { formatCountWithNoun } from '../format-count.ts';
import type { CheckResult, FindingState } from './check.ts';

const STATE_COLUMNS = 'not configured'.length + 2;

/** Format the results as a table with the advice below each line that needs one. */
export function formatReport(results: readonly CheckResult[]): string {
  const nameColumns = Math.max(...results.map(({ name }) => name.length)) + 2;
  const indent = ' '.repeat(STATE_COLUMNS + nameColumns);
  const lines = results.flatMap(({ name, state, found, advice }) => [
    `${state.padEnd(STATE_COLUMNS)}${name.padEnd(nameColumns)}${found}`.trimEnd(),
    ...(advice === undefined ? [] : advice.split('\n').map((line) => `${indent}→ ${line}`)),
  ]);
  return [...lines, '', formatTotal(results)].join('\n');
}

/** Format the results for programs. */
export function formatJsonReport(results: readonly CheckResult[]): string {
  const checks = results.map(({ name, state, found, advice = null }) => ({ name, state, found, advice }));
  return JSON.stringify({ state: getWorstState(results), checks }, null, 2);
}

/** Get the state of all together: that of the worst. */
export function getWorstState(results: readonly CheckResult[]): 'ok' | 'warning' | 'problem' {
  if (countStates(results, 'problem') > 0) return 'problem';
  return countStates(results, 'warning') > 0 ? 'warning' : 'ok';
}

function formatTotal(results: readonly CheckResult[]): string {
  const problems = formatCountWithNoun(countStates(results, 'problem'), 'problem');
  return `${problems}, ${formatCountWithNoun(countStates(results, 'warning'), 'warning')}.`;
}

function countStates(results: readonly CheckResult[], state: FindingState): number {
  return results.filter((result) => result.state === state).length;
}
