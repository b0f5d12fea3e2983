import { runFiles } from '../../../scripts/testing/run-files.ts';
import { t } from '../../tap.ts';

t.test('an error that no test awaits fails the test that runs', async (t) => {
  const lines: string[] = [];
  const file = 'test/scripts/testing/stray-errors.ts';
  const totals = await runFiles([file], {}, new AbortController().signal, (line) => lines.push(line), 1);
  t.same(totals.failedFiles, [{ file, tests: ['a timer throws', 'a promise is rejected'] }]);
  t.equal(totals.failed, 2);
  t.match(lines.join('\n'), /a timer throws > thrown by a timer[\s\S]*a promise is rejected > not awaited/);
});
