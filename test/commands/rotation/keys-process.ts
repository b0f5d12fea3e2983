import { type ChildProcess, spawn } from 'node:child_process';
import { getNodeArguments } from '../../transpiled-scripts.ts';

export interface KeysProcess {
  child: ChildProcess;
  /** Exit code, or null after a kill. */
  exited: Promise<number | null>;
  output(): string;
}

/** Start `npm run keys -- <verb>` without npm in between, so that a kill reaches the command itself. */
export function startKeysProcess(environment: Record<string, string>, ...args: string[]): KeysProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...getNodeArguments('src/commands/keys.ts'), ...args], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const keep = (chunk: Buffer) => {
    text += chunk;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, exited, output: () => text };
}
