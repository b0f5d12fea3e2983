import { spawn } from 'node:child_process';
import { wordsToRun } from '../compiled.ts';

export interface Outcome {
  code: number | null;
  out: string;
  errors: string;
}

/** Runs a command of src/commands as a process of its own. */
export function runCommand(
  name: string,
  environment: Record<string, string>,
  ...words: string[]
): Promise<Outcome> {
  return runScript(`src/commands/${name}.ts`, environment, ...words);
}

/** Runs a file as a process of its own. */
export function runScript(
  file: string,
  environment: Record<string, string>,
  ...words: string[]
): Promise<Outcome> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...wordsToRun(file), ...words], {
    env: { PATH, HOME, NODE_ENV: 'test', BCRYPT_COST: '4', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outcome: Outcome = { code: null, out: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    outcome.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    outcome.errors += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...outcome, code })));
}
