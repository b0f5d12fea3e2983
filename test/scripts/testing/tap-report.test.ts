import t from 'tap';
import { reportOf } from '../../../scripts/testing/tap-report.ts';

/** What a test file writes that has a failure, and tests that were not run. */
const FAILED = `TAP version 14
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
# { total: 5, pass: 1, fail: 2, todo: 1, skip: 1 }
# time=1625.3ms
`.split('\n');
const WHOLE = ['TAP version 14', '    ok 1 - it works', '1..1', '# { total: 1, pass: 1 }', '# time=20ms'];
const EMPTY = ['TAP version 14', '1..0 # no tests found', '# time=1ms'];

t.test('A file is a line, with the reasons of its failures', async (t) => {
  const { shown, passed, failed } = reportOf('test/a.test.ts', FAILED, { exitCode: 1, seconds: 1.6253 });
  t.equal(shown[0], 'FAILED test/a.test.ts 1.6 s');
  t.ok(shown.some((line) => line.includes('not ok 2 - numbers')));
  t.ok(
    shown.some((line) => line.includes('-2')),
    'with what is different',
  );
  t.notOk(
    shown.some((line) => line.includes('fine')),
    'without what is in order',
  );
  t.same({ passed, failed }, { passed: 1, failed: 2 });
  const whole = reportOf('test/whole.test.ts', WHOLE, { exitCode: 0, seconds: 0.02 });
  t.same(whole, { passed: 1, failed: 0, notRun: [], shown: ['passed test/whole.test.ts 0.0 s'] });
});

t.test('Tests that were not run are named with their file and the reason', async (t) => {
  t.same(reportOf('test/a.test.ts', FAILED, { exitCode: 1, seconds: 1 }).notRun, [
    'test/a.test.ts: needs a decoder (zbarimg is missing)',
    'test/a.test.ts: later (sometime)',
  ]);
  const root = reportOf('test/root.test.ts', ['1..0 # only root can'], { exitCode: 0, seconds: 0 });
  t.same(root, {
    passed: 0,
    failed: 0,
    notRun: ['test/root.test.ts (only root can)'],
    shown: ['not run test/root.test.ts 0.0 s', '  not run: test/root.test.ts (only root can)'],
  });
});

t.test('A file in which nothing is tested counts as failed', async (t) => {
  const { failed, shown } = reportOf('test/empty.test.ts', EMPTY, { exitCode: 0, seconds: 0 });
  t.equal(failed, 1);
  t.same(shown.slice(0, 2), ['FAILED test/empty.test.ts 0.0 s', '  there is no test in it']);
});

t.test(
  'A file that breaks off, or ends with an error or a signal, is a failure though each test passed',
  async (t) => {
    t.equal(reportOf('a', WHOLE.slice(0, 2), { exitCode: 0, seconds: 1 }).failed, 1, 'without a summary');
    t.equal(reportOf('a', [], { exitCode: 0, seconds: 1 }).failed, 1, 'without a word');
    t.equal(
      reportOf('a', ['1..0 # only root can'], { exitCode: 1, seconds: 1 }).failed,
      1,
      'not run, and an error',
    );
    const ended = reportOf('a', WHOLE, { exitCode: 13, seconds: 1 });
    t.equal(ended.failed, 1);
    t.match(ended.shown.join('\n'), /its process ended with 13/);
    t.match(reportOf('a', WHOLE, { exitCode: null, seconds: 1 }).shown.join('\n'), /by a signal/);
  },
);
