import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Mutation, parseTestName } from './mutation.ts';
import type { MutationResult } from './mutation-outcome.ts';

/** One JSON object a line, so that a killed run loses at most the guard it was at. */
const RESULTS_FILE = 'node_modules/.cache/qr-profile-service/mutation-results.jsonl';

export interface StoredResult extends MutationResult {
  key: string;
  seconds: number;
}

/** A result counts until the guard, its file or one of its tests changes. */
export function computeMutationKey(mutation: Mutation, read = readText): string {
  const { file, tests } = mutation;
  const change = 'sql' in mutation ? [mutation.sql] : [mutation.find, mutation.replace];
  const hash = createHash('sha256').update(JSON.stringify([file, ...change, tests]));
  for (const name of [file, ...tests.map((test) => parseTestName(test).file)])
    hash.update(JSON.stringify([name, read(name)]));
  return hash.digest('base64url');
}

/** Read the last result of each key. A line that a killed run cut off is left out. */
export function readEarlierResults(path = RESULTS_FILE): Map<string, StoredResult> {
  const results = new Map<string, StoredResult>();
  for (const line of readTextIfExists(path).split('\n')) {
    const result = parseLine(line);
    if (result) results.set(result.key, result);
  }
  return results;
}

/** Append a result; the last one of a key counts. */
export function appendResult(result: StoredResult, path = RESULTS_FILE): void {
  mkdirSync(dirname(path), { recursive: true });
  // The line break comes first: it ends a line that was cut off.
  appendFileSync(path, `\n${JSON.stringify(result)}`);
}

function parseLine(line: string): StoredResult | null {
  try {
    return JSON.parse(line) as StoredResult;
  } catch {
    return null;
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function readTextIfExists(path: string): string {
  try {
    return readText(path);
  } catch {
    return '';
  }
}
