import { writeFile } from 'node:fs/promises';
import { OPENAPI_REQUEST_EXAMPLES } from '../../src/platform/openapi-request-examples.ts';
import { createFakeProvider } from '../features/billing/payments/fake-provider.ts';
import { startTestApp, type TestResponse } from '../helper.ts';
import { getOpenApiDocument, resolveSchema } from '../openapi-document.ts';
import { t } from '../tap.ts';
import { createCallerAccounts, createSessionToken } from './callers.ts';
import { sendExampleRequests } from './example-requests.ts';
import { toExample } from './openapi-example.ts';
import { prepareAllowedRequest } from './prepare-request.ts';
import { createTestResources } from './test-resources.ts';

const FILE = 'src/platform/openapi-examples.ts';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: object }>; headers?: object }>;
}

const DECLARED_HEADERS = [
  'etag',
  'location',
  'accept-ranges',
  'content-range',
  'last-modified',
  'content-disposition',
];
/** Every response but those of the probes has them; the document says so once. */
const LIMIT_HEADERS = [
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

// With UPDATE_EXAMPLES=1 the answers become the examples of the document.
t.test(
  'every operation answers with the declared headers, and with JSON that the document can show',
  async (t) => {
    const payments = createFakeProvider();
    const test = await startTestApp(t, {}, { payments: payments.provider });
    const accounts = await createCallerAccounts(test);
    await test.database.pool.query(
      `UPDATE subscription_packages SET limits = limits || '{"qrCodes": null, "storageBytes": null}'`,
    );
    const things = createTestResources(test, accounts.owner);
    const document = await getOpenApiDocument(test.call);
    const examples = new Map<string, string>();
    const collect = (schema: object, value: unknown, name: string): void => {
      const reference: unknown = Reflect.get(schema, '$ref');
      if (typeof reference === 'string') {
        collect(resolveSchema(document, schema), value, reference.replace(/^.*\//, ''));
        return;
      }
      const parts = Object.entries<object>(Reflect.get(schema, 'properties') ?? {});
      // The examples of lists consist of those of an item and of the pagination.
      if (
        parts.length > 0 &&
        parts.every(([, part]) => '$ref' in Object(Reflect.get(part, 'items') ?? part))
      ) {
        for (const [key, part] of parts) {
          const member: unknown = Reflect.get(Object(value), key);
          const isList = Array.isArray(member);
          if (member !== undefined && !(isList && member.length === 0))
            collect(isList ? Reflect.get(part, 'items') : part, isList ? member[0] : member, '');
        }
        return;
      }
      const example = JSON.stringify(toExample(value));
      if (example.length > (examples.get(name)?.length ?? 0)) examples.set(name, example);
    };
    const missing: string[] = [];
    const wrongHeaders = new Set<string>();
    const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
    const collectAnswer = ({ operationId, responses }: Operation, answer: TestResponse) => {
      for (const name of findWrongHeaders(responses, answer)) wrongHeaders.add(`${operationId} ${name}`);
      if (!/^service\.get(?:Live|Ready)$/.test(operationId))
        for (const name of LIMIT_HEADERS) t.ok(name in answer.headers, `${operationId}: ${name}`);
      const media = responses[answer.status]?.content?.['application/json'];
      if (answer.status >= 300) missing.push(`${operationId} ${answer.status}`);
      else if (media) collect(media.schema, answer.body, operationId);
    };
    // The lists of the first reads are empty.
    for (const { path, method, operation } of [
      ...operations,
      ...operations.filter(({ method }) => method === 'GET'),
    ]) {
      const name = `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
      const request = await prepareAllowedRequest(name, { test, accounts, things });
      if (!request) continue;
      const { url, query, body, headers = {}, token } = request;
      collectAnswer(
        operation,
        await test.call(method, query ? `${url}?${query}` : url, { token, body, headers }),
      );
    }
    const find = (id: string) => operations.find(({ operation }) => operation.operationId === id)?.operation;
    for await (const [id, answer] of sendExampleRequests(test, payments)) {
      const operation = find(id);
      if (operation) collectAnswer(operation, answer);
    }
    // The examples of requests and responses tell the same story.
    const { examples: bodies } = document.paths['/api/qrcodes'].post.requestBody.content['application/json'];
    const { token: owner } = await createSessionToken(test, accounts.owner);
    const created = await test.call('POST', '/api/qrcodes', { token: owner, body: bodies.PET.value });
    const lost = await test.call('POST', `/api/qrcodes/${created.body.id}/lost`, {
      token: owner,
      body: OPENAPI_REQUEST_EXAMPLES['qrcodes.reportLost'],
    });
    t.same([created.status, lost.status], [201, 200]);
    examples.set('QrCode', JSON.stringify(toExample(created.body)));
    examples.set('qrcodes.reportLost', JSON.stringify(toExample(lost.body)));
    t.comment(`without an answer: ${missing.join(', ')}`);
    t.same([...wrongHeaders].toSorted(), []);
    t.ok(examples.size > 60, `${examples.size} examples`);
    if (process.env.UPDATE_EXAMPLES) await writeFile(FILE, formatExamples(examples));
  },
);

/** Name the headers that are either declared or sent, but not both. */
function findWrongHeaders(responses: Operation['responses'], { status, headers }: TestResponse): string[] {
  const { headers: declared = {} } = responses[status] ?? responses.default ?? {};
  const names = Object.keys(declared).map((name) => name.toLowerCase());
  return DECLARED_HEADERS.filter((name) => name in headers !== names.includes(name)).map(
    (name) => `${status}: ${name}`,
  );
}

function formatExamples(examples: ReadonlyMap<string, string>): string {
  const lines = [...examples]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`);
  return `// Generated by \`UPDATE_EXAMPLES=1 npm test -- test/access/openapi-examples.system.test.ts\`. Do not edit.
/** Real answers as JSON, by the name of their schema, or by their operation. */
export const OPENAPI_EXAMPLES: Readonly<Record<string, string>> = {
${lines.join('')}};
`;
}
