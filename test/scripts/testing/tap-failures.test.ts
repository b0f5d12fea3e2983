import { findFailures } from '../../../scripts/testing/tap-failures.ts';
import { t } from '../../tap.ts';

const POSITION_IN_HELPER = `
          at:
            fileName: test/helper.ts
            lineNumber: 7
            columnNumber: 3
            generated:
              fileName: dist-tests/test/helper.js
              lineNumber: 5
              columnNumber: 3`;

const STACK = `
          stack: >
            expectSum (dist-tests/test/helper.js:5:3)
            (test/helper.ts:7:3)

            Test.<anonymous> (dist-tests/test/a.test.js:4:10)
            (test/a.test.ts:5:11)

            dist-tests/test/a.test.js:2:3 (test/a.test.ts:3:3)

            Test.<anonymous> (dist-tests/scripts/testing/worker.js:18:3)
            (scripts/testing/worker.ts:20:5)`;

const PARENT_POSITION = `
      at:
        fileName: test/a.test.ts
        lineNumber: 3
        columnNumber: 3`;

const OUTPUT = `# Subtest: test/a.test.ts
    # Subtest: numbers
        ok 1 - should be equal
        not ok 2 - sum
          ---
          compare: ===${POSITION_IN_HELPER}${STACK}
          source: |2
              const sum = add(1, 1);
              t.equal(sum, 3, 'sum');
            ----^
          diff: |
            --- expected
            +++ actual
            @@ -1,1 +1,1 @@
            -3
            +2
          ...
        1..2
    not ok 1 - numbers # time=2.5ms
      ---${PARENT_POSITION}
      ...
    # Subtest: waits
        # Subtest: too long
            not ok 1 - timeout!
              ---
              expired: too long
              ...
            1..1
        not ok 1 - too long # time=50ms
        1..1
    not ok 2 - waits # time=51ms
    # Subtest: planned
        1..0
    not ok 3 - planned # time=1ms
      ---${PARENT_POSITION}
      ...
    not ok 4 - wished # TODO later
    1..4
not ok 1 - test/a.test.ts # time=90ms
`.split('\n');

t.test('a failure has its tests, its position once, its line and the difference', async (t) => {
  const [failure] = findFailures(OUTPUT);
  t.same(failure, {
    titles: ['numbers'],
    lines: [
      'not ok - numbers > sum',
      '  at: test/helper.ts:7:3',
      '  called from: test/a.test.ts:5:11',
      "  > t.equal(sum, 3, 'sum');",
      '  diff: |',
      '    --- expected',
      '    +++ actual',
      '    -3',
      '    +2',
    ],
  });
});

t.test('a test is listed for its own failures only, and an expected failure not at all', async (t) => {
  t.same(
    findFailures(OUTPUT).map(({ titles }) => titles),
    [['numbers'], ['waits', 'too long'], ['planned']],
  );
  t.same(findFailures(OUTPUT)[1]?.lines, ['not ok - waits > too long > timeout!', '  expired: too long']);
  t.equal(findFailures(OUTPUT)[2]?.lines[1], '  at: test/a.test.ts:3:3');
});

t.test('an error of a package shows where the test called it, and the message of its cause', async (t) => {
  const output = `    # Subtest: reads
        not ok 1 - connection timeout
          ---
          stack: |
            Pool.connect (node_modules/pg-pool/index.js:45:11)
            run (node_modules/@prisma/client/src/runtime/engine.ts:1:2)
            read (src/platform/jobs.ts:140:7)
            Test.<anonymous> (test/a.test.ts:5:11)
          at:
            fileName: node_modules/pg-pool/index.js
            lineNumber: 45
            columnNumber: 11
          source: |
            const error = {}
            Error.captureStackTrace(error)
            ------^
          cause:
            stack: |
              Socket.<anonymous> (node_modules/pg/lib/connection.js:64:12)
            message: ended
          ...`;
  t.same(findFailures(output.split('\n'))[0]?.lines.slice(1), [
    '  at: node_modules/pg-pool/index.js:45:11',
    '  called from: src/platform/jobs.ts:140:7',
    '  called from: test/a.test.ts:5:11',
    '  cause:',
    '    message: ended',
  ]);
});

t.test('a failure before the first test has no title', async (t) => {
  const output = [
    '# Subtest: test/a.test.ts',
    '    not ok 1 - no such module',
    '      ---',
    '      code: E1',
    '      ...',
  ];
  t.same(findFailures(output), [{ titles: [], lines: ['not ok - no such module', '  code: E1'] }]);
});
