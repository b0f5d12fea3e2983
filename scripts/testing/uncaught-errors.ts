// Imported before tap, which otherwise follows every promise of the application by async hooks, to find the test of an
// error that nobody awaits: a quarter of the processor time of a run. Such an error goes to the test that runs.
import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import type { TestBase } from 'tap';

const inactiveHook: asyncHooks.AsyncHook = { enable: () => inactiveHook, disable: () => inactiveHook };
asyncHooks.createHook = () => inactiveHook;
syncBuiltinESMExports();

const runningTests: TestBase[] = [];

// tap leaves errors to a listener.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: Error) => {
    const test = runningTests.at(-1);
    if (!test) throw error;
    test.threw(error);
  });

/** Let a test and its subtests receive the errors while they run. */
export function receiveErrors(test: TestBase): void {
  runningTests.push(test);
  test.on('subtestStart', (subtest) => receiveErrors(subtest as TestBase));
  test.once('end', () => runningTests.splice(runningTests.indexOf(test), 1));
}
