import { mock } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { connectRealtime, createClient } from '@qr-profile-service/client';
import { t } from '../../tap.ts';

let sockets = 0;

/** A service that accepts each socket, and closes it at once. */
class ClosedWebSocket {
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onerror: unknown = null;
  readonly readyState = 1;

  constructor() {
    sockets += 1;
    queueMicrotask(() => {
      this.onmessage?.({ data: JSON.stringify({ event: 'ready', id: null, data: {} }) });
      this.onclose?.({ code: 1006 });
    });
  }

  send() {}
  close() {}
}

t.test('pauses grow while the service ends each connection at once', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const client = createClient({ baseUrl: 'http://localhost:1', token: 'token' });
  const connection = connectRealtime(client, {
    WebSocket: ClosedWebSocket,
    conversationToken: 'token',
  });
  const reading = (async () => {
    for await (const event of connection) t.equal(event.event, 'ready');
  })();
  for (let second = 0; second < 100; second += 0.25) {
    mock.timers.tick(250);
    await immediate();
  }
  connection.close();
  await reading;
  t.ok(sockets > 4 && sockets < 20, `${sockets} sockets in 100 seconds`);
});
