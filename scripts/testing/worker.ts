// Runs the test files that the runner names, one after the other, in one process: to load the application takes longer than
// most files do. Prints TAP, and after each file a comment of the form `FileResult`.
import { pathToFileURL } from 'node:url';
import tap from 'tap';
import { setFileTest } from '../../test/tap.ts';
import { FILE_RESULT_PREFIX, type FileResult, READY_MESSAGE } from './tap-report.ts';
import { getTranspiledPath } from './transpile.ts';

process.on('message', (message: { file: string; timeoutMs: number }) => {
  void runFile(message.file, message.timeoutMs);
});
process.on('disconnect', () => process.exit());
// Not before: tap listens, too, and a message that came meanwhile would be lost.
process.send?.(READY_MESSAGE);

async function runFile(file: string, timeout: number): Promise<void> {
  const before = { ...tap.counts };
  const results = await tap.test(file, { timeout }, async (test) => {
    setFileTest(test);
    await import(pathToFileURL(getTranspiledPath(file)).href);
  });
  // tap has let the process end although this channel is open.
  process.channel?.ref();
  const result: FileResult = {
    file,
    isEmpty: results?.count === 0,
    passed: tap.counts.pass - before.pass,
    failed: tap.counts.fail - before.fail,
  };
  // Not by tap's own comment, which waits for the end of the process.
  process.stdout.write(`${FILE_RESULT_PREFIX}${JSON.stringify(result)}\n`);
}
