import { readFile } from 'node:fs/promises';
import { startTestApp } from '../helper.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { t } from '../tap.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface Operation {
  operationId: string;
  responses: Record<string, object>;
}

t.test('the page about authentication lists every operation that returns tokens of an account', async (t) => {
  const { call } = await startTestApp(t);
  const { paths, components } = await getOpenApiDocument(call);
  const operations = Object.values<Record<string, Operation>>(paths).flatMap((item) =>
    METHODS.flatMap((method) => item[method] ?? []),
  );
  const returnsTokens = (schema: unknown): boolean => {
    const text = JSON.stringify(schema);
    if (text.includes('"accessToken"')) return true;
    return [...text.matchAll(/"#\/components\/(schemas|responses)\/([^"]+)"/g)].some(
      ([, kind = '', name = '']) => returnsTokens(components[kind][name]),
    );
  };
  const found = operations.filter(({ responses }) =>
    Object.entries(responses).some(([status, schema]) => status.startsWith('2') && returnsTokens(schema)),
  );
  const page = await readFile('docs/security/authentication.md', 'utf8');
  const [ways = ''] = page.split('\nThese ways exist besides');
  const listed = [...ways.matchAll(/`(\w+\.\w+)`/g)].map(([, name = '']) => name);
  t.ok(found.length >= 6, `${found.length} operations`);
  t.same(listed.toSorted(), found.map(({ operationId }) => operationId).toSorted());
});
