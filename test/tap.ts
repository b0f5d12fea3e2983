// Registers what the codes of errors mean.
import '../src/catalogue.ts';
import tap, { type Test } from 'tap';

let currentTest: Test = tap;

/**
 * Test of the current file: the root test of the process or, if files share a process, a subtest that ends with the
 * file.
 */
export const t: Test = new Proxy(tap, {
  get(_, name) {
    const value: unknown = Reflect.get(currentTest, name);
    return typeof value === 'function' ? value.bind(currentTest) : value;
  },
});

/** Reason to skip what waits for a time limit of PostgreSQL, which never ends under another date; false under the real one. */
export const STATEMENT_TIMEOUTS_MISSING =
  process.env.FAKETIME !== undefined && 'no time limits under another date: see scripts/testing/fake-date.ts';

export function setFileTest(test: Test): void {
  currentTest = test;
}
