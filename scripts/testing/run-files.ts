import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type FileResult,
  parseFileResult,
  READY_MESSAGE,
  reportFile,
  type TestTotals,
} from './tap-report.ts';
import { getTranspiledPath } from './transpile.ts';

/** One more file than processors, because tests also wait. */
const CONCURRENCY = availableParallelism() + 1;

/** A guard against hanging: a busy machine takes minutes for what takes seconds alone. */
const FILE_TIMEOUT_MS = 600_000;
const SYSTEM_FILE_TIMEOUT_MS = 900_000;

/** Files after which a process is replaced, to limit its memory. */
const FILES_PER_WORKER = 25;

/**
 * A larger heap (MB): with the defaults, garbage collection takes a tenth of the run. V8 optimizes functions later: most
 * optimized code would run a few times only.
 */
const NODE_FLAGS = [
  '--enable-source-maps',
  '--max-semi-space-size=64',
  '--initial-heap-size=1000',
  '--interrupt-budget=1000000',
];

/** First words of a file that changes or measures its process; the reason follows. */
const OWN_PROCESS_COMMENT = '// Own process:';

const STOP_TIMEOUT_MS = 5_000;

/** Failed files that are run a second time. */
const MAX_REPEATED_FILES = 3;

/** Tests that kill processes, drive a browser through every language, fuzz, or cover every case. */
const SYSTEM_TEST_SUFFIX = '.system.test.ts';

export type TestSuite = 'test' | 'system';

/**
 * Find the test files of the names, in their order: a file is itself, a folder all files of the suite below it. Without
 * a name, the whole suite.
 */
export async function findTests(names: readonly string[], suite: TestSuite): Promise<string[]> {
  const files = await Promise.all(
    (names.length > 0 ? names : ['test']).map((name) => findTestsByName(name, suite)),
  );
  return [...new Set(files.flat())];
}

async function findTestsByName(name: string, suite: TestSuite): Promise<string[]> {
  if (!(await stat(name)).isDirectory()) return [name];
  const paths = await readdir(name, { recursive: true });
  return paths
    .filter((file) => file.endsWith('.test.ts') && file.endsWith(SYSTEM_TEST_SUFFIX) === (suite === 'system'))
    .map((file) => join(name, file))
    .sort();
}

/**
 * Run test files concurrently and print a report of each. Files share processes, except those of the system suite and
 * those with `OWN_PROCESS_COMMENT`. An aborted signal stops everything that was started.
 */
export async function runFiles(
  files: readonly string[],
  environment: Record<string, string>,
  signal: AbortSignal,
  print: (line: string) => void = console.log,
  concurrency = CONCURRENCY,
): Promise<TestTotals> {
  const total: TestTotals = { passed: 0, failed: 0, failedFiles: [], skipped: [] };
  const waiting = [...files];
  let done = 0;
  const work = async (): Promise<void> => {
    let worker: TestWorker | null = null;
    for (let file = waiting.shift(); file !== undefined && !signal.aborted; file = waiting.shift()) {
      const needsOwn = needsOwnProcess(file);
      if (worker && (needsOwn || worker.filesRun >= FILES_PER_WORKER)) worker = await worker.stop();
      worker ??= startWorker(environment, signal);
      const { lines, ...totals } = await worker.run(file);
      // Failures after an abort are not real.
      if (signal.aborted) break;
      done += 1;
      const [summary, ...details] = lines;
      print(`${summary} (${done} of ${files.length})`);
      for (const text of details) print(text);
      total.passed += totals.passed;
      total.failed += totals.failed;
      total.failedFiles.push(...totals.failedFiles);
      total.skipped.push(...totals.skipped);
      if (needsOwn || worker.hasEnded()) worker = await worker.stop();
    }
    await worker?.stop();
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return total;
}

/**
 * Run test files as `runFiles` does, then run those that failed once more, one at a time. A file that passes alone counts
 * as passed and is listed as unstable. More than `MAX_REPEATED_FILES` failures are no coincidence and are not repeated.
 */
export async function runFilesAndRepeatFailed(
  files: readonly string[],
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<TestTotals & { unstable: string[] }> {
  const first = await runFiles(files, environment, signal);
  const failedFiles = first.failedFiles.map(({ file }) => file);
  if (failedFiles.length === 0 || failedFiles.length > MAX_REPEATED_FILES || signal.aborted)
    return { ...first, unstable: [] };
  console.log('\nfailed files once more, alone:');
  const second = await runFiles(failedFiles, environment, signal, console.log, 1);
  return {
    passed: first.passed + second.passed,
    failed: second.failed,
    failedFiles: second.failedFiles,
    skipped: [...new Set([...first.skipped, ...second.skipped])],
    unstable: failedFiles.filter((file) => second.failedFiles.every((failed) => failed.file !== file)),
  };
}

function needsOwnProcess(file: string): boolean {
  return file.endsWith(SYSTEM_TEST_SUFFIX) || readFileSync(file, 'utf8').startsWith(OWN_PROCESS_COMMENT);
}

interface TestWorker {
  filesRun: number;
  hasEnded(): boolean;
  run(file: string): Promise<ReturnType<typeof reportFile>>;
  stop(): Promise<null>;
}

function startWorker(environment: Record<string, string>, signal: AbortSignal): TestWorker {
  // Own process group: Ctrl-C reaches only this process, which stops the tests before their database.
  const child = spawn(process.execPath, [...NODE_FLAGS, getTranspiledPath('scripts/testing/worker.ts')], {
    env: { ...process.env, TAP_TIMEOUT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  let hasEnded = false;
  let lines: string[] = [];
  let finish = (_end: FileResult | { exit: string }) => {};
  if (!child.stdout) throw new Error('The output of a test process cannot be read.');
  const output = createInterface({ input: child.stdout });
  const closed = once(child, 'exit').then(async ([code, killSignal]: (number | string | null)[]) => {
    // A grandchild may keep the output open.
    await Promise.race([once(output, 'close'), sleep(1_000, undefined, { ref: false })]);
    hasEnded = true;
    finish({ exit: code === null ? `by ${killSignal}` : `with ${code}` });
  });
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      if (message === READY_MESSAGE) resolve();
    });
  });
  output.on('line', (line) => {
    const result = parseFileResult(line);
    if (result) finish(result);
    else lines.push(line);
  });
  const kill = () => stopGroup(child, closed);
  signal.addEventListener('abort', kill, { once: true });
  return {
    filesRun: 0,
    hasEnded: () => hasEnded,
    async run(file) {
      this.filesRun += 1;
      lines = [];
      const startedAt = performance.now();
      const timeoutMs = file.endsWith(SYSTEM_TEST_SUFFIX) ? SYSTEM_FILE_TIMEOUT_MS : FILE_TIMEOUT_MS;
      const result = new Promise<FileResult | { exit: string }>((resolve) => {
        finish = resolve;
      });
      // Later than tap's own timeout, which normally ends the file.
      const timer = setTimeout(kill, timeoutMs + 10_000);
      await Promise.race([ready, closed]);
      if (!hasEnded) child.send({ file, timeoutMs });
      const end = await result;
      clearTimeout(timer);
      return reportFile(file, lines, end, (performance.now() - startedAt) / 1000);
    },
    async stop() {
      if (!hasEnded) child.disconnect();
      const timer = setTimeout(kill, STOP_TIMEOUT_MS);
      await closed;
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      return null;
    },
  };
}

/** Stop a process group, after time to clean up. */
async function stopGroup({ pid }: ChildProcess, closed: Promise<unknown>): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  await Promise.race([closed, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already exited.
  }
}
