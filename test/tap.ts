import tap, { type Test } from 'tap';

let currentTest: Test = tap;

/**
 * The test of the file that runs: that of the whole process, or, where files share a process, a subtest of it that ends with
 * the file.
 */
export const t: Test = new Proxy(tap, {
  get(_, name) {
    const value: unknown = Reflect.get(currentTest, name);
    return typeof value === 'function' ? value.bind(currentTest) : value;
  },
});

/** Has `t` stand for this test from now on. */
export function setFileTest(test: Test): void {
  currentTest = test;
}
