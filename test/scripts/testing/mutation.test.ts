import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutation, parseTestName } from '../../../scripts/testing/mutation.ts';
import { readFailure } from '../../../scripts/testing/mutation-outcome.ts';
import {
  appendResult,
  computeMutationKey,
  readEarlierResults,
} from '../../../scripts/testing/mutation-results.ts';
import { MUTATIONS, STRICT_AREAS } from '../../mutation/all-mutations.ts';
import { t } from '../../tap.ts';

const all = Object.values(MUTATIONS).flat();

t.test('each guard of the mutation test is found once, and its tests exist', async (t) => {
  t.ok(all.length >= 300, `${all.length} guards`);
  for (const mutation of all) {
    const { guard, file, tests } = mutation;
    const source = readFileSync(file, 'utf8');
    if ('sql' in mutation) {
      const name = /(?:TRIGGER|CONSTRAINT) (\w+)/.exec(mutation.sql)?.[1];
      t.ok(name && source.includes(name), guard);
    } else
      try {
        t.not(applyMutation(mutation, source), source, guard);
      } catch (error) {
        t.fail(String(error));
      }
    t.ok(tests.length > 0, guard);
    for (const test of tests.map(parseTestName)) {
      if (!existsSync(test.file)) t.fail(`${test.file} of: ${guard}`);
      else t.ok(readFileSync(test.file, 'utf8').includes(test.title), `${test.title} of: ${guard}`);
    }
  }
});

t.test('each guard is listed once', async (t) => {
  const keys = all.map((one) => ('sql' in one ? one.sql : `${one.file} ${one.find} ${one.replace}`));
  t.same(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
  t.ok(STRICT_AREAS.every((area) => MUTATIONS[area].length > 0));
});

t.test('a text that occurs twice, or not at all, is refused', async (t) => {
  const mutation = { guard: 'g', file: 'a.ts', find: 'x', replace: '$&', tests: [] };
  t.equal(applyMutation(mutation, 'axb'), 'a$&b', 'the replacement is literal');
  for (const source of ['ab', 'xx']) t.throws(() => applyMutation(mutation, source), /instead of once/);
});

t.test('only a failing assertion notices a guard', async (t) => {
  const parent = ['    not ok 1 - a rule # time=12.5ms', '      ---', '      at:', '      ...'];
  const assertion = [
    '        not ok 2 - should be equal',
    '          compare: ===',
    '          diff: |',
    '            --- expected',
    '            +++ actual',
    '            -404',
    '            +200',
  ];
  const read = (...lines: string[]) => readFailure('a.test.ts', lines);
  t.same(read(...assertion, ...parent), {
    outcome: 'NOTICED',
    reason: 'a.test.ts: should be equal -404 +200',
  });
  const error = ['        not ok 1 - x is not defined', '          type: ReferenceError', '          at:'];
  const caught = [...error, '          tapCaught: returnedPromiseRejection'];
  const busy = assertion.map((line) => line.replace('+200', '+503'));
  const timeout = ['        not ok 1 - timeout!', '          at:', '          expired: a rule'];
  const unclear = [caught, busy, timeout, parent, ['  its process ended with 1']];
  for (const lines of unclear) t.equal(read(...lines).outcome, 'UNCLEAR', lines.join());
  t.equal(read(...caught, ...assertion).outcome, 'NOTICED', 'whatever fails before it');
});

t.test('a result is kept until the guard, its file or its tests change', async (t) => {
  const mutation = { guard: 'g', file: 'a.ts', find: 'x', replace: 'y', tests: ['b.test.ts#a rule'] };
  const files: Record<string, string> = { 'a.ts': 'x', 'b.test.ts': 'rule' };
  const computeKey = (changed: object = {}, texts: object = {}) =>
    computeMutationKey({ ...mutation, ...changed }, (path) => ({ ...files, ...texts })[path] ?? '');
  const keys = [
    computeKey(),
    computeKey({ replace: 'z' }),
    computeKey({ tests: ['b.test.ts'] }),
    computeKey({}, { 'a.ts': 'x x' }),
    computeKey({}, { 'b.test.ts': 'another rule' }),
  ];
  t.equal(new Set(keys).size, keys.length);
  t.equal(computeKey({ guard: 'other words' }), computeKey());

  const path = join(t.testdir(), 'results.jsonl');
  const result = { key: computeKey(), outcome: 'SURVIVED', reason: '', seconds: 2 } as const;
  appendResult(result, path);
  appendFileSync(path, '\n{"key":"cut o');
  appendResult({ ...result, key: 'other' }, path);
  appendResult({ ...result, outcome: 'NOTICED' }, path);
  t.same([...readEarlierResults(path).keys()], [result.key, 'other']);
  t.equal(readEarlierResults(path).get(result.key)?.outcome, 'NOTICED', 'the last one counts');
});
