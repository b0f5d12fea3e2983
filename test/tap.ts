import tap, { type Test } from 'tap';

let currentTest: Test = tap;

/** Set to run only the tests of this title at the top of a file. */
const onlyTitle = process.env.TEST_TITLE;

/**
 * Test of the current file: the root test of the process or, if files share a process, a subtest that ends with the
 * file.
 */
export const t: Test = new Proxy(tap, {
  get(_, name) {
    const value: unknown = Reflect.get(currentTest, name);
    if (name === 'test' && onlyTitle)
      return (title: string, ...rest: unknown[]) =>
        title === onlyTitle ? Reflect.apply(currentTest.test, currentTest, [title, ...rest]) : undefined;
    return typeof value === 'function' ? value.bind(currentTest) : value;
  },
});

export function setFileTest(test: Test): void {
  currentTest = test;
}
