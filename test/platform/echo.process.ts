import { serveProcessTasks } from '../../src/platform/worker-process.ts';

export type EchoTask = { text?: Uint8Array; fail?: string; end?: true; hang?: true; environment?: true };

serveProcessTasks<EchoTask, unknown>(async ({ text, fail, end, hang, environment }) => {
  if (end) process.kill(process.pid, 'SIGKILL');
  if (hang) return new Promise(() => {});
  if (fail) throw new Error(fail);
  if (environment) return { keys: Object.keys(process.env), pid: process.pid };
  return text;
});
