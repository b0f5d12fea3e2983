import { generateId } from '../../src/shared/ids.ts';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { createCallerAccounts, createSessionToken } from './callers.ts';
import { createTestResources, PRIVATE_WORDS } from './test-resources.ts';

const NUMBER = Number(process.env.FOREIGN_IDS ?? 1_000);
const PARALLEL = 8;

const KINDS = [
  ...(['code', 'deletedCode', 'conversation', 'notification', 'device', 'memoryTag', 'picture'] as const),
  ...(['codePicture', 'document', 'deletedDocument', 'receivedDocument'] as const),
  ...(['folder', 'deletedFolder'] as const),
  ...([
    'webhookEndpoint',
    'webhookDelivery',
    'import',
    'printSheet',
    'codeMove',
    'ownerPhone',
    'batch',
  ] as const),
  ...(['savedView', 'deletedSavedView', 'organization', 'deletedOrganization'] as const),
  ...(['organizationMember', 'invitation'] as const),
  ...(['session', 'identity', 'apiKey', 'dataExport', 'checkout', 'subscription', 'invoice'] as const),
];

const OPERATIONS = [
  ['GET', '/api/qrcodes/:code'],
  ['PUT', '/api/qrcodes/:code', { title: 'taken' }],
  ['DELETE', '/api/qrcodes/:code'],
  ['GET', '/api/qrcodes/:code/preview'],
  ['GET', '/api/qrcodes/:code/image'],
  ['GET', '/api/qrcodes/:code/poster'],
  ['POST', '/api/qrcodes/:code/lost', {}],
  ['POST', '/api/qrcodes/:code/appeals', { message: 'taken' }],
  ['GET', '/api/qrcodes/:code/takedown'],
  ['GET', '/api/qrcodes/:code/history'],
  ['GET', '/api/qrcodes/:code/pictures'],
  ['GET', '/api/qrcodes/:codePicture'],
  ['PUT', '/api/qrcodes/:codePicture', { caption: 'taken' }],
  ['DELETE', '/api/qrcodes/:codePicture'],
  ['POST', '/api/qrcodes/:deletedCode/restore'],
  ['GET', '/api/conversations/:conversation'],
  ['GET', '/api/conversations/:conversation/messages'],
  ['POST', '/api/conversations/:conversation/messages', { message: 'taken' }],
  ['POST', '/api/conversations/:conversation/block'],
  ['POST', '/api/conversations/:conversation/report', { category: 'SPAM' }],
  ['PATCH', '/api/notifications/:notification/read'],
  ['DELETE', '/api/notifications/:notification'],
  ['DELETE', '/api/notifications/devices/:device'],
  ['POST', '/api/notifications/devices/:device/test'],
  ['GET', '/api/webhook-endpoints/:webhookEndpoint'],
  ['PATCH', '/api/webhook-endpoints/:webhookEndpoint', { enabled: false }],
  ['DELETE', '/api/webhook-endpoints/:webhookEndpoint'],
  ['POST', '/api/webhook-endpoints/:webhookEndpoint/rotate-secret', {}],
  ['POST', '/api/webhook-endpoints/:webhookEndpoint/verify', { challenge: 'x' }],
  ['POST', '/api/webhook-endpoints/:webhookEndpoint/test'],
  ['POST', '/api/webhook-endpoints/:webhookEndpoint/replay', { from: '2026-11-01' }],
  ['GET', '/api/webhook-endpoints/:webhookEndpoint/deliveries'],
  ['GET', '/api/webhook-endpoints/:webhookDelivery'],
  ['GET', '/api/imports/:import'],
  ['POST', '/api/imports/:import/cancel'],
  ['GET', '/api/imports/:import/errors'],
  ['GET', '/api/imports/:import/rejected-rows'],
  ['GET', '/api/code-moves/:codeMove'],
  ['GET', '/api/print-sheets/:printSheet'],
  ['GET', '/api/print-sheets/:printSheet/content'],
  ['DELETE', '/api/print-sheets/:printSheet'],
  ['GET', '/api/batches/:batch'],
  ['POST', '/api/batches/:batch/cancel'],
  ['DELETE', '/api/batches/:batch'],
  ['GET', '/api/batches/:batch/tags'],
  ['GET', '/api/batches/:batch/export'],
  ['GET', '/api/batches/:batch/images'],
  ['PATCH', '/api/batches/:batch/tags', { printed: true }],
  ['GET', '/api/organizations/:organization'],
  ['PATCH', '/api/organizations/:organization', { name: 'taken' }],
  ['DELETE', '/api/organizations/:organization'],
  ['POST', '/api/organizations/:deletedOrganization/restore'],
  ['GET', '/api/organizations/:organization/members'],
  ['PUT', '/api/organizations/:organizationMember/folders', { folderIds: null }],
  ['GET', '/api/organizations/:organizationMember'],
  ['PATCH', '/api/organizations/:organizationMember', { role: 'OWNER' }],
  ['GET', '/api/organizations/:organizationMember/access'],
  ['DELETE', '/api/organizations/:organizationMember'],
  ['POST', '/api/organizations/:organization/leave'],
  ['POST', '/api/organizations/:organization/transfer-ownership', { userId: '0123456789abcdef01234567' }],
  ['GET', '/api/organizations/:organization/invitations'],
  ['POST', '/api/organizations/:organization/invitations', { email: 'taken@example.org', role: 'EDITOR' }],
  ['GET', '/api/organizations/:invitation'],
  ['DELETE', '/api/organizations/:invitation'],
  ['POST', '/api/organizations/:organization/invitations/0123456789abcdef01234567/resend'],
  ['GET', '/api/saved-views/:savedView'],
  ['PATCH', '/api/saved-views/:savedView', { name: 'taken' }],
  ['DELETE', '/api/saved-views/:savedView'],
  ['POST', '/api/saved-views/:deletedSavedView/restore'],
  ['GET', '/api/folders/:folder'],
  ['PATCH', '/api/folders/:folder', { name: 'taken' }],
  ['DELETE', '/api/folders/:folder'],
  ['POST', '/api/folders/:deletedFolder/restore'],
  ['DELETE', '/api/own-phones/:ownerPhone'],
  ['GET', '/api/memory-tags/:memoryTag'],
  ['PUT', '/api/memory-tags/:memoryTag', { name: 'taken' }],
  ['DELETE', '/api/memory-tags/:memoryTag'],
  ['GET', '/api/memory-tags/:memoryTag/pictures'],
  ['GET', '/api/memory-tags/:picture'],
  ['PUT', '/api/memory-tags/:picture', { name: 'taken' }],
  ['DELETE', '/api/memory-tags/:picture'],
  ['GET', '/api/memory-tags/:memoryTag/guest-book'],
  ['GET', '/api/memory-tags/:memoryTag/caretakers'],
  ['POST', '/api/memory-tags/:memoryTag/caretakers', { email: 'taken@example.org' }],
  ['DELETE', '/api/memory-tags/caring/:memoryTag'],
  ['GET', '/api/documents/:document'],
  ['GET', '/api/documents/:document/content'],
  ['DELETE', '/api/documents/:document'],
  ['POST', '/api/documents/:deletedDocument/restore'],
  ['POST', '/api/documents/:document/shares', {}],
  ['GET', '/api/documents/:document/shares'],
  ['GET', '/api/documents/:document/accesses'],
  ['POST', '/api/documents/:document/grants', { email: 'taken@example.org' }],
  ['GET', '/api/documents/:document/grants'],
  ['GET', '/api/documents/received/:receivedDocument/content'],
  ['DELETE', '/api/documents/received/:receivedDocument'],
  ['DELETE', '/api/auth/sessions/:session'],
  ['DELETE', '/api/auth/identities/:identity'],
  ['GET', '/api/api-keys/:apiKey'],
  ['POST', '/api/api-keys/:apiKey/rotate', {}],
  ['POST', '/api/api-keys/:apiKey/take-over', {}],
  ['DELETE', '/api/api-keys/:apiKey'],
  ['GET', '/api/subscription/checkout-session/:checkout'],
  ['DELETE', '/api/subscription/cancel/:subscription'],
  ['POST', '/api/subscription/:subscription/keep'],
  ['GET', '/api/subscription/invoices/:invoice/page'],
  ['GET', '/api/auth/exports/:dataExport'],
  ['GET', '/api/auth/exports/:dataExport/content'],
] as const;

t.test(
  `${NUMBER} requests with ids of other users: returns 404 like for absent ones, without reading or changing anything`,
  async (t) => {
    const test = await startTestApp(t);
    const accounts = await createCallerAccounts(test);
    const things = createTestResources(test, accounts.owner);
    const cell = { test, caller: 'owner', accounts, things } as const;
    const ids: Record<string, string[]> = {};
    for (const name of KINDS) {
      ids[name] = [];
      for (let count = 0; count < 12; count++) ids[name].push(await things[name](cell));
    }
    const tokens = await Promise.all(
      (['stranger', 'support', 'auditor', 'admin'] as const).map((name) =>
        createSessionToken(test, accounts[name]),
      ),
    );
    const before = await snapshot();
    const wrong: string[] = [];
    const shapes = new Set<string>();
    let leaks = 0;
    let requestCount = 0;
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        while (requestCount < NUMBER) {
          const index = requestCount++;
          const [method, path, body] = OPERATIONS[index % OPERATIONS.length] ?? OPERATIONS[0];
          const isAbsent = index % 10 === 9;
          const url = path.replace(/:(\w+)/, (_all, name: string) =>
            isAbsent
              ? pick(ids[name] ?? [], index).replace(/\b[0-9a-f]{24}\b/g, () => generateId())
              : pick(ids[name] ?? [], index),
          );
          const answer = await test.call(method, url, { token: pick(tokens, index).token, body });
          if (answer.status !== 404) wrong.push(`${method} ${url}: ${answer.status}`);
          if (PRIVATE_WORDS.some((word) => answer.text.includes(word))) leaks += 1;
          shapes.add(JSON.stringify({ ...answer.body, requestId: undefined }));
        }
      }),
    );
    t.same(wrong, []);
    t.equal(leaks, 0);
    t.equal(shapes.size, 1, 'the same answer, whatever it was');
    t.same(await snapshot(), before);
    const denied = await test.database.client.auditEntry.count({ where: { action: 'ACCESS_DENIED' } });
    t.equal(denied, NUMBER, 'each is in the trail');

    async function snapshot() {
      const { client } = test.database;
      const codes = await client.qrCode.findMany({ orderBy: { id: 'asc' }, omit: { updatedAt: true } });
      const tags = await client.memoryTag.findMany({ orderBy: { id: 'asc' } });
      const talks = await client.conversation.findMany({
        orderBy: { id: 'asc' },
        include: { messages: true },
      });
      const documents = await client.document.findMany({
        orderBy: { id: 'asc' },
        include: { versions: true, shares: true, grants: true, accesses: true },
      });
      const notifications = await client.notification.findMany({ orderBy: { id: 'asc' } });
      const devices = await client.pushDevice.findMany({ orderBy: { id: 'asc' }, omit: { token: true } });
      const bought = await client.subscription.findMany({ orderBy: { id: 'asc' } });
      const keys = await client.apiKey.findMany({ orderBy: { id: 'asc' } });
      const open = await client.session.count({ where: { userId: accounts.owner.id, endedAt: null } });
      return JSON.stringify(
        [codes, tags, documents, talks, notifications, devices, bought, keys, open],
        (_key, value) => (typeof value === 'bigint' ? Number(value) : value),
      );
    }
  },
);

function pick<T>(list: readonly T[], index: number): T {
  const found = list[(index * 7919 + Math.floor(index / 13)) % list.length];
  if (found === undefined) throw new Error('an empty list');
  return found;
}
