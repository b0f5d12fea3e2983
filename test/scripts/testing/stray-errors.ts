// Run by `uncaught-errors.test.ts`: errors that no test awaits.
import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '../../tap.ts';

t.test('a timer throws', async (t) => {
  setTimeout(() => {
    throw new Error('thrown by a timer');
  });
  await sleep(50);
  t.pass('goes on');
});

t.test('a promise is rejected', async (t) => {
  void Promise.reject(new Error('not awaited'));
  await sleep(50);
  t.pass('goes on');
});

t.test('nothing happens', async (t) => t.pass('passes'));
