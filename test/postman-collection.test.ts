import { readFile } from 'node:fs/promises';
import { startScans } from './features/scans/helper.ts';
import { t } from './tap.ts';

interface Item {
  name: string;
  request: {
    method: string;
    auth?: { type: string };
    body?: { mode: string; raw?: string };
    url: {
      raw: string;
      path: string[];
      query?: { key: string; disabled: boolean }[];
      variable?: { key: string }[];
    };
  };
}

const test = await startScans(t);
const { body: api } = await test.call('GET', '/api/docs/json');
const collection: { item: { name: string; item: Item[] }[] } = JSON.parse(
  await readFile('docs/public/postman-collection.json', 'utf8'),
);
const items = collection.item.flatMap((folder) => folder.item);
const reads = items.filter(({ request }) => request.method === 'GET');

/** Those of other users, of staff, and of things that do not exist. */
const EXPECTED_ERRORS = [403, 404];

t.test('the collection has every operation except the WebSocket', (t) => {
  const names = items.map(({ request }) => `${request.method} /${request.url.path.join('/')}`);
  const documented = Object.entries<object>(api.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  t.same(
    documented.filter((name) => !names.includes(name)),
    ['GET /api/realtime'],
  );
  t.equal(names.length, documented.length - 1);
  t.end();
});

t.test(
  'each read is answered with its content, or with the error of an absent or foreign thing',
  async (t) => {
    const { owner, call, code, scan } = test;
    const qrCodeId = await code();
    const scanned = await scan({ qrCodeId });
    const ids: Record<string, string> = { qrcodes: qrCodeId, scans: scanned.body.scan.id, profile: owner.id };
    let successes = 0;
    for (const { name, request } of reads) {
      const { path, query = [], variable = [] } = request.url;
      t.same(
        path.filter((segment) => segment.startsWith(':')),
        variable.map(({ key }) => `:${key}`),
        `${name}: each variable can be set`,
      );
      const url = path.map((segment, index) =>
        segment.startsWith(':') ? (ids[path[index - 1] ?? ''] ?? '0123456789abcdef01234567') : segment,
      );
      const required = query.filter(({ disabled }) => !disabled).map(({ key }) => `${key}=ada`);
      const token = request.auth?.type === 'noauth' ? undefined : owner.accessToken;
      const { status, text } = await call('GET', `/${url.join('/')}?${required.join('&')}`, { token });
      t.ok(status < 400 || EXPECTED_ERRORS.includes(status), `${name}: ${status} ${text.slice(0, 200)}`);
      if (status < 400) successes += 1;
    }
    t.ok(successes >= 40, `${successes} of ${reads.length} have content`);
  },
);

t.test('each JSON body is an example', (t) => {
  for (const { name, request } of items)
    if (request.body?.mode === 'raw') t.ok(Object.keys(JSON.parse(request.body.raw ?? '')).length > 0, name);
  t.end();
});
