import t from 'tap';
import { createTapReport } from '../../../scripts/testing/tap-report.ts';

/** What tap writes for five files: one with a failure, one without tests, one not run, one whole, one crashed. */
const STREAM = `TAP version 14
1..5
# Subtest: test/a.test.ts
    ok 1 - fine
    # Subtest: outer
        ok 1 - needs a decoder # SKIP zbarimg is missing
        not ok 2 - numbers
          ---
          diff: |
            -2
            +1
          ...
        1..2
    not ok 2 - outer # time=114.085ms
    ok 3 - later # TODO sometime
    1..3
not ok 1 - test/a.test.ts # time=1625.3ms
  ---
  exitCode: 1
  ...

# Subtest: test/empty.test.ts
    1..0 # no tests found
ok 2 - test/empty.test.ts # SKIP no tests found

# Subtest: test/root.test.ts
    1..0 # only root can
ok 3 - test/root.test.ts # SKIP only root can

# Subtest: test/whole.test.ts
    ok 1 - it works
    1..1
ok 4 - test/whole.test.ts # time=20ms

# Subtest: test/crash.test.ts
    1..0 # no tests found
not ok 5 - test/crash.test.ts # time=1234.536ms
  ---
  exitCode: 1
  ...

# No coverage generated
# { total: 7, pass: 2, fail: 2, todo: 1, skip: 3 }
`.split('\n');

t.test('Each file is a line as it ends, with the reasons of its failures', async (t) => {
  const report = createTapReport();
  const shown = STREAM.flatMap((line) => report.take(line));
  t.match(shown[0], /^FAILED test\/a\.test\.ts 1\.6 s$/);
  t.ok(shown.some((line) => line.includes('not ok 2 - numbers')));
  t.ok(
    shown.some((line) => line.includes('-2')),
    'with what is different',
  );
  t.notOk(
    shown.some((line) => line.includes('fine')),
    'without what is in order',
  );
  t.ok(shown.includes('passed test/whole.test.ts 0.0 s'));
  t.ok(shown.includes('not run test/root.test.ts'));
});

t.test('Tests that were not run are named with their file and the reason', async (t) => {
  t.same(resultOf(STREAM, 1).notRun, [
    'test/a.test.ts: needs a decoder (zbarimg is missing)',
    'test/a.test.ts: later (sometime)',
    'test/root.test.ts (only root can)',
  ]);
});

t.test('A file in which nothing is tested counts as failed', async (t) => {
  const { passed, failed } = resultOf(STREAM, 1);
  t.same({ passed, failed }, { passed: 2, failed: 3 });
});

t.test('A stream that breaks off is a failure', async (t) => {
  t.same(resultOf(STREAM.slice(0, 5), 1), { passed: 0, failed: 1, notRun: [] });
});

t.test('A run that ends with an error is a failure though every test passed', async (t) => {
  const stream = ['    ok 1 - fine', 'ok 1 - test/a.test.ts', '# { total: 1, pass: 1 }'];
  t.equal(resultOf(stream, 1).failed, 1);
  t.equal(resultOf(stream, 0).failed, 0);
});

function resultOf(stream: readonly string[], exitCode: number) {
  const report = createTapReport();
  for (const line of stream) report.take(line);
  return report.result(exitCode);
}
