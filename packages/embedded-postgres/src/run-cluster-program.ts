import { spawn } from 'node:child_process';
import type { Cluster } from './cluster.ts';
import { getProgramEnvironment } from './program-environment.ts';

/** Run a program as the server's user. @throws Error with `failure` and the program's stderr */
export function runClusterProgram(
  cluster: Cluster,
  program: string,
  options: { arguments: string[]; input?: string; failure: string },
): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(program, options.arguments, {
      ...cluster.user,
      cwd: cluster.folder,
      env: getProgramEnvironment(),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let messages = '';
    child.stderr.on('data', (text) => {
      messages += text;
    });
    child.once('error', failed);
    child.once('close', (code) => {
      if (code === 0) done();
      else failed(new Error(`${options.failure}: ${messages.trim()}`));
    });
    // A program that cannot start closes stdin; 'close' reports the reason.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input);
  });
}
