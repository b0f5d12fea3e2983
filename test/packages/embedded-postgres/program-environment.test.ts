import { getProgramEnvironment } from '../../../packages/embedded-postgres/src/program-environment.ts';
import { t } from '../../tap.ts';

t.test('PostgreSQL gets the date that its process was given, and nothing else', async (t) => {
  const own = { PATH: '/bin', LD_PRELOAD: 'libfaketime.so.1', JWT_SECRET: 'secret' };
  const server = { PATH: '/bin', TZ: 'UTC' };
  t.same(getProgramEnvironment(own), server);
  const clock = { FAKETIME: '+86400', NO_FAKE_STAT: '1' };
  t.same(getProgramEnvironment({ ...own, ...clock }), { ...server, ...clock, LD_PRELOAD: own.LD_PRELOAD });
});
