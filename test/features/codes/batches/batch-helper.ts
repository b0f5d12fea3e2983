import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp, TestResponse, TestUser } from '../../../helper.ts';

/** Request a batch of tags. */
export function requestBatch(
  app: TestApp,
  user: TestUser,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return app.call('POST', '/api/batches', {
    token: user.accessToken,
    headers,
    body: { kind: 'LUGGAGE', prefix: 'Suitcase', ...('rows' in body ? {} : { count: 3 }), ...body },
  });
}

export async function getBatch(app: TestApp, user: TestUser, id: string): Promise<TestResponse['body']> {
  return (await app.call('GET', `/api/batches/${id}`, { token: user.accessToken })).body;
}

/** Wait until a requested batch has ended. */
export async function waitForBatch(
  app: TestApp,
  user: TestUser,
  requested: TestResponse,
): Promise<TestResponse['body']> {
  if (requested.status !== 202) throw new Error(`${requested.status} ${requested.text}`);
  for (;;) {
    const view = await getBatch(app, user, requested.body.id);
    if (view.finishedAt !== null) return view;
    await sleep(20);
  }
}

/** Make a batch, and list its tags. */
export async function createBatch(app: TestApp, user: TestUser, body: object = {}) {
  const batch = await waitForBatch(app, user, await requestBatch(app, user, body));
  return { batch, tags: await listTags(app, user, batch.id) };
}

export async function listTags(app: TestApp, user: TestUser, id: string): Promise<TestResponse['body'][]> {
  const { body } = await app.call('GET', `/api/batches/${id}/tags?limit=100`, { token: user.accessToken });
  return body.data;
}
