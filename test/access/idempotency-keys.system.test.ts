import { createFakeProvider } from '../features/billing/payments/fake-provider.ts';
import { startTestApp } from '../helper.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { t } from '../tap.ts';
import { createCallerAccounts } from './callers.ts';
import { prepareAllowedRequest } from './prepare-request.ts';
import { createTestResources } from './test-resources.ts';

interface Operation {
  operationId: string;
  parameters?: { name: string }[];
}

const test = await startTestApp(t, {}, { payments: createFakeProvider().provider });
const accounts = await createCallerAccounts(test);
await test.database.pool.query(
  `UPDATE subscription_packages SET limits = limits || '{"qrCodes": null, "members": null, "storageBytes": null}'`,
);
const things = createTestResources(test, accounts.owner);

/** Their responses have a secret, so that a repeat is 409 RESPONSE_NOT_STORED. */
const SECRET = [
  'apiKeys.create',
  'apiKeys.rotate',
  'apiKeys.takeOver',
  'qrcodes.createTestLink',
  'subscription.createPortalSession',
  'webhookEndpoints.create',
  'webhookEndpoints.rotateSecret',
];

/**
 * The matrix has no request that succeeds; tests of their own call them. A handler that sends the response to store instead
 * of returning it fails in any of them, also without a key.
 */
const WITHOUT_REQUEST = [
  'accounts.createProfile',
  'admin.decideAppeal',
  'admin.dismissCodeReports',
  'admin.reinstateCode',
  'admin.requestBreakGlass',
  'admin.resendActivation',
  'admin.retryJob',
  'admin.takeDownCode',
  'batches.cancel',
  'claims.delete',
  'conversations.open',
  'conversations.reportAsFinder',
  'conversations.sendMessageAsFinder',
  'imports.cancel',
  'organizations.leave',
  'subscription.change',
  'subscription.keep',
  'webhookEndpoints.verify',
];

t.test('a repeat with the key of a request gets its response', async (t) => {
  const { paths } = await getOpenApiDocument(test.call);
  const wrong: string[] = [];
  const secret: string[] = [];
  const untried: string[] = [];
  let repeated = 0;
  for (const [path, item] of Object.entries<Record<string, Operation>>(paths))
    for (const [method, { operationId, parameters = [] }] of Object.entries(item)) {
      if (!parameters.some(({ name }) => name === 'Idempotency-Key')) continue;
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
      const request = await prepareAllowedRequest(name, { test, accounts, things });
      if (!request) {
        untried.push(operationId);
        continue;
      }
      const { url, query, body, token } = request;
      const headers = { ...request.headers, 'idempotency-key': `key of ${operationId}` };
      const send = () => test.call(request.method, query ? `${url}?${query}` : url, { token, body, headers });
      const [first, again] = [await send(), await send()];
      if (first.status < 300) repeated += 1;
      if (first.status >= 300) untried.push(operationId);
      else if (again.body?.code === 'RESPONSE_NOT_STORED') secret.push(operationId);
      else if (again.headers['idempotency-replayed'] !== 'true') wrong.push(`${name}: not a replay`);
      else if (again.status !== first.status) wrong.push(`${name}: ${first.status}, ${again.status}`);
      else if (again.headers.location !== first.headers.location) wrong.push(`${name}: Location`);
      else if (again.text !== first.text) wrong.push(`${name}: ${first.text} ${again.text}`);
    }
  t.same(wrong, []);
  t.same(secret.toSorted(), SECRET);
  t.same(untried.toSorted(), WITHOUT_REQUEST);
  t.ok(repeated > 40, `${repeated} operations`);
});
