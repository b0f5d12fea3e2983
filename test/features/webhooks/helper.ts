import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Test } from 'tap';
import { startTestApp, type TestApp, type TestUser } from '../../helper.ts';

export interface ReceivedWebhook {
  path: string;
  headers: Record<string, string>;
  body: string;
  event: {
    id: string;
    type: string;
    timestamp: string;
    data: Record<string, string> & { path: string; object?: unknown };
  };
}

/** A server of a user; `respond` gives the status, or null to never answer. */
export async function startReceiver(
  t: Test,
  respond: (received: ReceivedWebhook) => number | null = () => 204,
) {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const one = { path: String(request.url), headers, body, event: JSON.parse(body) };
      received.push(one);
      const status = respond(one);
      if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/hook`, received };
}

/** Start the application with its dispatcher, and an account. */
export async function startWebhooks(t: Test, environment: Record<string, string> = {}) {
  const test = await startTestApp(t, environment);
  // Endpoints that never answer still wait when a busy machine gets to what follows.
  test.services.webhookSender.timeoutMs = 60_000;
  test.services.webhookDispatcher.start();
  t.teardown(() => test.services.webhookDispatcher.stop());
  const owner = await test.createUser();

  const createEndpoint = async (
    url: string,
    eventTypes: string[] = ['*'],
    user: Pick<TestUser, 'accessToken'> = owner,
  ) => {
    const body = { url, eventTypes };
    const created = await test.call('POST', '/api/webhook-endpoints', { token: user.accessToken, body });
    if (created.status !== 201) throw new Error(created.text);
    return created.body as { id: string; secret: string; version: number };
  };
  const createCode = async (user: Pick<TestUser, 'accessToken'> = owner): Promise<string> => {
    const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
    const created = await test.call('POST', '/api/qrcodes', { token: user.accessToken, body });
    if (created.status !== 201) throw new Error(created.text);
    return created.body.id;
  };
  return { ...test, owner, createEndpoint, createCode };
}

/** Wait until a condition holds. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the condition did not hold within 120 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function verifyWebhook(secret: string, { headers, body }: ReceivedWebhook): void {
  new Webhook(secret).verify(body, headers);
}

/** Let the time of all retries come. */
export async function skipRetryDelays({
  database,
  services,
}: Pick<TestApp, 'database' | 'services'>): Promise<void> {
  await database.client.$executeRaw`UPDATE webhook_endpoints SET paused_until = NULL`;
  await database.client
    .$executeRaw`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'PENDING' AND jsonb_array_length(attempts) > 0`;
  services.webhookDispatcher.wake();
}
