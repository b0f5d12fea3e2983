import type PgBoss from 'pg-boss';
import { getErrorCodeOrName } from '../../src/platform/error-reason.ts';
import { serializeErrorForLog } from '../../src/platform/http/error-log.ts';
import { createJobWorker } from '../../src/platform/job-worker.ts';
import { t } from '../tap.ts';

t.test('a full pool, a server that is away and one that is lost have codes of their own', async (t) => {
  const codes = [
    'timeout exceeded when trying to connect',
    'Connection terminated due to connection timeout',
    'Connection terminated unexpectedly',
    'Connection terminated',
  ].map((message) => getErrorCodeOrName(new Error(message)));
  t.same(codes, ['POOL_TIMEOUT', 'CONNECT_TIMEOUT', 'CONNECTION_LOST', 'ANSWER_TIMEOUT']);
  t.match(serializeErrorForLog(new Error('timeout exceeded when trying to connect')), {
    code: 'POOL_TIMEOUT',
  });
});

t.test('returns a code or a name, never a message', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' });
  t.equal(getErrorCodeOrName(refused), 'ECONNREFUSED');
  t.equal(
    getErrorCodeOrName(new Error('canary', { cause: Object.assign(new Error('x'), { code: '57P01' }) })),
    '57P01',
  );
  t.equal(
    getErrorCodeOrName(Object.assign(new TypeError('canary'), { code: 'a canary, with blanks' })),
    'TypeError',
  );
  t.equal(getErrorCodeOrName('canary'), 'Error');
});

t.test('a worker logs why its database is unavailable', async (t) => {
  const fetch = () => Promise.reject(Object.assign(new Error('canary'), { code: 'ECONNREFUSED' }));
  const message = new Promise<string>((resolve) => {
    const log = { error: (_details: object, message: string) => resolve(message) };
    const worker = createJobWorker(
      { fetch } as unknown as PgBoss,
      { queue: 'trial', handler: async () => {}, concurrency: 1 },
      log,
      async () => {},
    );
    worker.start();
    t.teardown(() => worker.stop(100));
  });
  t.equal(await message, 'jobs: fetching jobs failed (ECONNREFUSED)');
});
