import { EventEmitter, once } from 'node:events';
import Fastify from 'fastify';
import { createReadinessCheck, drainingPlugin } from '../../../src/platform/http/draining.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { t } from '../../tap.ts';

t.test('while the process stops, each connection ends with its response', async (t) => {
  const stopping = new AbortController();
  const events = new EventEmitter();
  const app = Fastify();
  t.teardown(() => app.close());
  addRequestSteps(app, createReadinessCheck(stopping.signal));
  await app.register(drainingPlugin, { signal: stopping.signal });
  app.get('/fast', () => 'fast');
  app.get('/slow', async () => {
    const released = once(events, 'release');
    events.emit('begin');
    await released;
    return 'slow';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const get = async (path: string) => {
    const response = await fetch(`${app.listeningOrigin}${path}`);
    return [response.status, response.headers.get('connection'), await response.text()];
  };

  t.same(await get('/fast'), [200, 'keep-alive', 'fast'], 'before, it stays open');
  const begun = once(events, 'begin');
  const answer = get('/slow');
  await begun;
  stopping.abort();
  events.emit('release');
  t.same(await answer, [200, 'close', 'slow'], 'of a request begun before');
  t.same(await get('/fast'), [200, 'close', 'fast'], 'of a request begun after');
});
