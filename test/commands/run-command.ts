import { spawn } from 'node:child_process';
import { getNodeArguments } from '../transpiled-scripts.ts';

export interface CommandResult {
  code: number | null;
  out: string;
  errors: string;
}

export function runCommand(
  name: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  return runScript(`src/commands/${name}.ts`, environment, ...args);
}

export function runScript(
  file: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...getNodeArguments(file), ...args], {
    env: { PATH, HOME, NODE_ENV: 'test', BCRYPT_COST: '4', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const result: CommandResult = { code: null, out: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.errors += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...result, code })));
}
