import { FILE_RESULT_PREFIX, parseFileResult, reportFile } from '../../../scripts/testing/tap-report.ts';
import { t } from '../../tap.ts';

const FAILED = `# Subtest: test/a.test.ts
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
`.split('\n');
const PASSED = ['# Subtest: test/b.test.ts', '    ok 1 - it works', '    1..1', 'ok 2 - test/b.test.ts'];

const resultOf = (passed: number, failed: number, isEmpty = false) => ({
  file: 'a',
  isEmpty,
  passed,
  failed,
});

t.test('a worker reports the result of a file in a comment with a prefix', async (t) => {
  const result = resultOf(3, 1);
  t.same(parseFileResult(`${FILE_RESULT_PREFIX}${JSON.stringify(result)}`), result);
  t.equal(parseFileResult('# Subtest: test/a.test.ts'), null);
});

t.test('a file is reported in one line, followed by the reasons of its failures', async (t) => {
  const { lines, passed, failed, failedFiles } = reportFile('test/a.test.ts', FAILED, resultOf(1, 2), 1.6253);
  t.equal(lines[0], 'FAILED test/a.test.ts 1.6 s');
  t.ok(lines.includes('  not ok - outer > numbers'));
  t.ok(
    lines.some((line) => line.includes('-2')),
    'with the diff',
  );
  t.notOk(
    lines.some((line) => line.includes('fine')),
    'without passed tests',
  );
  t.same({ passed, failed }, { passed: 1, failed: 2 });
  t.same(failedFiles, [{ file: 'test/a.test.ts', tests: ['outer'] }]);
  const report = reportFile('test/b.test.ts', PASSED, resultOf(1, 0), 0.02);
  t.same(report, {
    passed: 1,
    failed: 0,
    failedFiles: [],
    skipped: [],
    lines: ['passed test/b.test.ts 0.0 s'],
  });
});

t.test('skipped tests are listed with their file and reason', async (t) => {
  t.same(reportFile('test/a.test.ts', FAILED, resultOf(1, 2), 1).skipped, [
    'test/a.test.ts: needs a decoder (zbarimg is missing)',
    'test/a.test.ts: later (sometime)',
  ]);
});

t.test('a file without tests counts as failed', async (t) => {
  const report = reportFile('test/empty.test.ts', ['    1..0'], resultOf(1, 0, true), 0);
  t.match(report, { passed: 0, failed: 1 });
  t.same(report.lines.slice(0, 2), ['FAILED test/empty.test.ts 0.0 s', '  there is no test in it']);
});

t.test('a file whose process ends too early counts as failed even if all its tests passed', async (t) => {
  for (const exit of ['with 13', 'by SIGKILL']) {
    const report = reportFile('a', PASSED, { exit }, 1);
    t.equal(report.failed, 1);
    t.match(report.lines.join('\n'), `its process ended ${exit}`);
    t.same(report.failedFiles, [{ file: 'a', tests: [`its process ended ${exit}`] }]);
  }
});
