import { spawn } from 'node:child_process';
import type { Cluster } from './cluster.ts';

/**
 * Runs one of PostgreSQL's programs in the folder of a cluster, as the user that the server runs as, with nothing of
 * this process's environment but the search path.
 * @throws Error with `failure` and what the program wrote about it, when it ends with another code than 0
 */
export function runClusterProgram(
  cluster: Cluster,
  program: string,
  options: { arguments: string[]; input?: string; failure: string },
): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(program, options.arguments, {
      ...cluster.user,
      cwd: cluster.folder,
      env: { PATH: process.env.PATH, TZ: 'UTC' },
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
    // A program that could not start closes its end; 'close' tells why.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input);
  });
}
