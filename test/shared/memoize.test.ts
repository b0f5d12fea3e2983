import {
  createSingleFlight,
  initializeMemoizedFactories,
  memoize,
  memoizeFactory,
} from '../../src/shared/memoize.ts';
import { createTestGate } from '../gate.ts';
import { t } from '../tap.ts';

t.test('computes a value once per key', async (t) => {
  const calls: string[] = [];
  const getValue = memoize((key: string) => ({ call: calls.push(key) }));
  t.equal(getValue('a'), getValue('a'));
  t.same(getValue('b'), { call: 2 });
});

t.test('calls a factory on first use, or together with all others', async (t) => {
  initializeMemoizedFactories();
  const calls: string[] = [];
  const getUndefined = memoizeFactory(() => void calls.push('undefined'));
  const getOther = memoizeFactory(() => calls.push('other'));
  t.equal(getUndefined(), undefined);
  getUndefined();
  t.same(calls, ['undefined'], 'once, whatever the result');
  t.equal(initializeMemoizedFactories(), 1);
  t.equal(initializeMemoizedFactories(), 0);
  getOther();
  t.same(calls, ['undefined', 'other']);
  let fails = true;
  const getFailing = memoizeFactory(() => {
    if (fails) throw new Error('not yet');
    return 'made';
  });
  t.throws(initializeMemoizedFactories, { message: 'not yet' });
  fails = false;
  t.equal(getFailing(), 'made', 'a failure is not kept');
});

t.test('concurrent calls with a key share a result or an error, later calls do not', async (t) => {
  const singleFlight = createSingleFlight<number>();
  const gate = createTestGate();
  let calls = 0;
  const work = async () => {
    calls += 1;
    await gate.whenOpened;
    if (calls > 2) throw new Error('failed');
    return calls;
  };
  const results = [singleFlight('a', work), singleFlight('a', work), singleFlight('b', work)];
  t.equal(calls, 2);
  gate.open();
  t.same(await Promise.all(results), [2, 2, 2]);
  const failed = [singleFlight('a', work), singleFlight('a', work)];
  for (const one of failed) await t.rejects(one, { message: 'failed' });
  t.equal(calls, 3);
  await t.rejects(singleFlight('a', work));
  t.equal(calls, 4, 'a failure is not kept');
});
