import { existsSync, readFileSync } from 'node:fs';
import { applyMutation } from '../../../scripts/testing/mutation.ts';
import { MUTATIONS, STRICT_AREAS } from '../../mutation/all-mutations.ts';
import { t } from '../../tap.ts';

const all = Object.values(MUTATIONS).flat();

t.test('each guard of the mutation test is found once, and its tests exist', async (t) => {
  t.ok(all.length >= 120, `${all.length} guards`);
  for (const mutation of all) {
    const { guard, file, replace, tests } = mutation;
    const source = readFileSync(file, 'utf8');
    try {
      t.not(applyMutation(mutation, source), source, guard);
    } catch (error) {
      t.fail(String(error));
    }
    t.notOk(replace === mutation.find, guard);
    t.ok(tests.length > 0, guard);
    for (const test of tests) t.ok(existsSync(test), `${test} of: ${guard}`);
  }
});

t.test('each guard is listed once', async (t) => {
  const keys = all.map(({ file, find }) => `${file} ${find}`);
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
