import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp, TestResponse, TestUser } from '../../../helper.ts';

/** Request a print sheet. */
export function requestPrintSheet(
  app: TestApp,
  user: TestUser,
  body: object,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return app.call('POST', '/api/print-sheets', { token: user.accessToken, body, headers });
}

export async function getPrintSheet(app: TestApp, user: TestUser, id: string): Promise<TestResponse['body']> {
  return (await app.call('GET', `/api/print-sheets/${id}`, { token: user.accessToken })).body;
}

/** Wait until a requested print sheet has ended. */
export async function waitForPrintSheet(
  app: TestApp,
  user: TestUser,
  requested: TestResponse,
): Promise<TestResponse['body']> {
  if (requested.status !== 202) throw new Error(`${requested.status} ${requested.text}`);
  for (;;) {
    const view = await getPrintSheet(app, user, requested.body.id);
    if (view.status !== 'WAITING') return view;
    await sleep(20);
  }
}

/** Download a PDF as it is. */
export async function downloadPdf(app: TestApp, user: TestUser, id: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${user.accessToken}` };
  const answer = await app.app.inject({ url: `/api/print-sheets/${id}/content`, headers });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.payload}`);
  return answer.rawPayload;
}

/** Insert codes directly, many at once; returns their ids in the order of their titles. */
export async function insertCodes(app: TestApp, user: TestUser, count: number): Promise<string[]> {
  const items = Array.from({ length: count }, (_, index) => ({
    kind: 'TEXT',
    title: `Tag ${String(index).padStart(4, '0')}`,
    externalId: `tag-${index}`,
    data: { text: 'a' },
  }));
  const ids: string[] = [];
  for (let first = 0; first < count; first += 1_000) {
    const { body } = await app.call('POST', '/api/qrcodes/bulk', {
      token: user.accessToken,
      body: { items: items.slice(first, first + 1_000) },
    });
    ids.push(...body.data.map(({ id }: { id: string }) => id));
  }
  return ids;
}
