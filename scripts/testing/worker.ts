// Run the test files that the runner sends, one after the other, in one process, because loading the application takes
// longer than most files. Prints TAP, and a comment with a `FileResult` after each file.
import './uncaught-errors.ts';
import { pathToFileURL } from 'node:url';
import tap from 'tap';
import { setFileTest } from '../../test/tap.ts';
import { FILE_RESULT_PREFIX, type FileResult, READY_MESSAGE } from './tap-report.ts';
import { getTranspiledPath } from './transpile.ts';
import { receiveErrors } from './uncaught-errors.ts';

process.on('message', (message: { file: string; timeoutMs: number }) => {
  void runFile(message.file, message.timeoutMs);
});
process.on('disconnect', () => process.exit());
// Only after tap has added its listener: an earlier message would be lost.
process.send?.(READY_MESSAGE);

async function runFile(file: string, timeout: number): Promise<void> {
  const before = { ...tap.counts };
  const environment = { ...process.env };
  const results = await tap.test(file, { timeout }, async (test) => {
    receiveErrors(test);
    setFileTest(test);
    await import(pathToFileURL(getTranspiledPath(file)).href);
  });
  restoreEnvironment(environment);
  // tap unreferences this channel.
  process.channel?.ref();
  const result: FileResult = {
    file,
    isEmpty: results?.count === 0,
    passed: tap.counts.pass - before.pass,
    failed: tap.counts.fail - before.fail,
  };
  // Not as a comment of tap, which appears at the end of the process.
  process.stdout.write(`${FILE_RESULT_PREFIX}${JSON.stringify(result)}\n`);
}

/** A file must not change the one that runs after it: one sets NODE_TLS_REJECT_UNAUTHORIZED. */
function restoreEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}
