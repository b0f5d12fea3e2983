import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, createClient, NetworkError } from '@qr-profile-service/client';
import { ONE_PIXEL_PNG } from '../../features/memory-tags/gallery-helper.ts';
import { waitUntil } from '../../features/webhooks/helper.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createRecordingFetch, createUserClient, startServer } from './helper.ts';

// Without the limits of packages.
const test = await startTestApp(t, { BILLING: 'off' });
const baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });
const user = await test.createUser();
const { client } = await createUserClient(baseUrl, user);
const createText = (title: string, options: { signal?: AbortSignal } = {}) =>
  client.post('/api/qrcodes', { body: { kind: 'TEXT', title, data: { text: title } }, ...options });

t.test('a creation whose answers are lost is repeated, and happens once', async (t) => {
  const owner = await test.createUser();
  const { fetch, requests } = createRecordingFetch((path, count) => path === '/api/qrcodes' && count <= 2);
  const { client: lossy } = await createUserClient(baseUrl, owner, { fetch });
  const { data, headers, status } = await lossy.request('post', '/api/qrcodes', {
    body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
  });
  t.equal(status, 201);
  t.equal(headers.get('idempotency-replayed'), 'true');
  const keys = requests.filter(({ path }) => path === '/api/qrcodes').map(({ key }) => key);
  t.equal(keys.length, 3);
  t.equal(new Set(keys).size, 1);
  t.match((await lossy.get('/api/qrcodes')).data, [{ id: data.id }]);
});

t.test('what is unsafe to repeat is not repeated', async (t) => {
  const { fetch, requests } = createRecordingFetch(() => true);
  const lossy = createClient({ baseUrl, fetch });
  await t.rejects(lossy.auth.logIn({ email: user.email, password: 'wrong' }), NetworkError);
  t.equal(requests.length, 1);
});

t.test('429 and 503 are repeated after Retry-After, unless it is too long', async (t) => {
  const answers = [429, 503, 200];
  const origin = await startServer(t, (request, response) => {
    const isPatient = request.url === '/api/auth/me';
    const status = isPatient ? (answers.shift() ?? 500) : 429;
    response.writeHead(status, { 'retry-after': isPatient ? '0' : '3600' }).end();
  });
  const limited = createClient({ baseUrl: origin });
  await limited.get('/api/auth/me');
  t.same(answers, []);
  await t.rejects(limited.get('/api/dashboard/cards'), {
    name: 'ApiError',
    status: 429,
    code: null,
    retryAfterMs: 3_600_000,
  });
});

t.test('a change of unknown outcome is only repeated with a key', async (t) => {
  const requests: string[] = [];
  const origin = await startServer(t, (request, response) => {
    requests.push(request.url ?? '');
    const problem = { code: 'OUTCOME_UNKNOWN', detail: 'The database did not confirm it.' };
    response
      .writeHead(503, { 'retry-after': '0', 'content-type': 'application/problem+json' })
      .end(JSON.stringify(problem));
  });
  const unconfirmed = createClient({ baseUrl: origin, maxRetries: 1 });
  const error = { name: 'ApiError', code: 'OUTCOME_UNKNOWN' };
  await t.rejects(unconfirmed.post('/api/auth/logout'), error);
  t.equal(requests.length, 1);
  await t.rejects(unconfirmed.post('/api/scans/public', { body: { qrCodeId: 'a'.repeat(24) } }), error);
  t.equal(requests.length, 3);
});

t.test('an error has the code, the fields and the id of the request', async (t) => {
  const error = await client
    .post('/api/qrcodes', { body: { kind: 'PET', title: '', data: { name: '' } } })
    .catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw error;
  t.match(error, { status: 400, code: 'VALIDATION_FAILED', retryAfterMs: null });
  t.ok(error.requestId);
  t.ok(error.errors.some(({ field }) => field === 'title'));
  t.match(error.message, /^VALIDATION_FAILED: /);
});

t.test('each attempt has a time limit, and a signal ends a call at once', async (t) => {
  const origin = await startServer(t, (request, response) => {
    if (request.url === '/api/dashboard/cards')
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    else if (request.url === '/api/qrcodes') response.writeHead(503, { 'retry-after': '30' }).end();
  });
  const silent = createClient({ baseUrl: origin, timeoutMs: 50, maxRetries: 0 });
  await t.rejects(silent.get('/api/auth/me'), { name: 'TimeoutError' }, 'no answer');
  await t.rejects(silent.get('/api/dashboard/cards'), { name: 'TimeoutError' }, 'half an answer');

  for (const path of ['/api/auth/me', '/api/qrcodes'] as const) {
    const controller = new AbortController();
    const call = createClient({ baseUrl: origin }).get(path, { signal: controller.signal });
    await wait(0);
    controller.abort(new Error('left'));
    await t.rejects(call, { message: 'left' }, path);
  }
  await t.rejects(createText('A', { signal: AbortSignal.abort(new Error('left')) }), { message: 'left' });
});

t.test('a parameter of a path cannot name another operation', async (t) => {
  for (const id of ['', '.', '..'])
    await t.rejects(client.delete('/api/qrcodes/{id}', { path: { id } }), TypeError, `"${id}"`);
  await t.rejects(client.get('/api/qrcodes/{id}', { path: { id: '../auth/me' } }), { code: 'NOT_FOUND' });
});

t.test('a path never leads to another origin', async (t) => {
  const urls: string[] = [];
  const send: typeof fetch = async (input) => {
    urls.push(String(input));
    return new Response();
  };
  for (const [origin, path] of [
    ['https://qr.example.org', '@attacker.example/'],
    ['https://qr.example.org', '.attacker.example/'],
    ['https://qr.example.org', 'https://attacker.example/'],
    ['', '//attacker.example/'],
    ['', '/\\attacker.example/'],
  ] as const) {
    const careless = createClient({ baseUrl: origin, token: 'secret', fetch: send });
    await t.rejects(careless.get(path as '/api/auth/me'), TypeError, origin + path);
  }
  t.same(urls, []);
});

t.test('a list whose cursor is repeated or missing ends', async (t) => {
  let requests = 0;
  const origin = await startServer(t, (request, response) => {
    requests += 1;
    const nextCursor = request.url?.startsWith('/api/scans') ? {} : { nextCursor: 'again' };
    response.writeHead(requests > 5 ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], pagination: nextCursor }));
  });
  const hostile = createClient({ baseUrl: origin, token: 'secret' });
  const readAll = async (path: '/api/qrcodes' | '/api/scans') => {
    for await (const item of hostile.iterate(path)) t.notOk(item);
  };
  await t.rejects(readAll('/api/qrcodes'), { message: /cursor is repeated/ });
  await readAll('/api/scans');
  t.equal(requests, 3);
});

t.test('a body whose fields are optional can be left out', async (t) => {
  const { id } = await createText('A');
  t.equal((await client.post('/api/qrcodes/{id}/lost', { path: { id } })).status, 'LOST');
});

/** Stored together. */
const BATCH_ITEMS = 50;

t.test('a field with a default can be left out', async (t) => {
  const url = 'http://localhost:9/hook';
  const { id } = await client.post('/api/webhook-endpoints', { body: { url, eventTypes: ['*'] } });
  const path = { id };
  const rotated = await client.post('/api/webhook-endpoints/{id}/rotate-secret', { path, body: {} });
  t.match(rotated.secret, /^whsec_/);
});

t.test('updates in bulk end with the call, so that a repetition does the rest', async (t) => {
  const { client: own } = await createUserClient(baseUrl, await test.createUser());
  const item = { kind: 'TEXT' as const, title: 'T', data: { text: 'A' } };
  const { data } = await own.post('/api/qrcodes/bulk', {
    body: { items: Array(BATCH_ITEMS + 10).fill(item) },
  });
  const ids = data.flatMap(({ id }) => id ?? []);
  const body = { items: ids.map((id) => ({ id, title: 'Changed' })) };
  const countChanged = () =>
    test.database.client.qrCode.count({ where: { id: { in: ids }, title: 'Changed' } });

  const lock = await test.services.database.pool.connect();
  t.teardown(() => lock.release());
  await lock.query('BEGIN');
  await lock.query('SELECT FROM qr_codes WHERE id = ANY($1) FOR UPDATE', [ids]);
  const isDisconnected = new Promise((resolve) => {
    test.app.server.once('request', (_request, response) => response.once('close', resolve));
  });
  const controller = new AbortController();
  const call = own.patch('/api/qrcodes/bulk', { body, signal: controller.signal });
  call.catch(() => undefined);
  await waitUntil(async () => {
    const { rows } = await lock.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'transactionid'`,
    );
    return rows.length > 0;
  });
  controller.abort(new Error('left'));
  await t.rejects(call, { message: 'left' });
  await isDisconnected;
  await lock.query('COMMIT');
  await waitUntil(async () => (await countChanged()) > 0);
  const { counts } = await own.patch('/api/qrcodes/bulk', { body });
  t.match(counts, { updated: 10, unchanged: BATCH_ITEMS });
});

t.test('a redirect is not followed', async (t) => {
  const origin = await startServer(t, (_request, response) => {
    response.writeHead(307, { location: `${baseUrl}/api/health/live` }).end();
  });
  await t.rejects(createClient({ baseUrl: origin }).get('/api/auth/me'), { name: 'ApiError', status: 307 });
});

t.test('iterates over every item of a list, and keeps a copy of it in step', async (t) => {
  const owner = await test.createUser();
  const { client: own } = await createUserClient(baseUrl, owner);
  const items = Array.from({ length: 45 }, (_, index) => ({
    kind: 'TEXT' as const,
    title: `T${index}`,
    data: { text: 'A' },
  }));
  const { counts } = await own.post('/api/qrcodes/bulk', { body: { items } });
  t.equal(counts.created, 45);
  const titles = new Set<string>();
  for await (const { title } of own.iterate('/api/qrcodes', { query: { sort: 'title', limit: 20 } }))
    titles.add(title);
  t.equal(titles.size, 45);

  const copy = new Map<string, string>();
  const onPage: Parameters<typeof own.sync<'/api/qrcodes'>>[1]['onPage'] = ({ updated, deleted }) => {
    for (const { id, title } of updated) copy.set(id, title);
    for (const { id } of deleted) copy.delete(id);
  };
  const updatedSince = await own.sync('/api/qrcodes', { onPage });
  t.equal(copy.size, 45);
  const [renamed = '', removed = ''] = copy.keys();
  await own.patch('/api/qrcodes/{id}', { path: { id: renamed }, body: { title: 'Renamed' } });
  await own.delete('/api/qrcodes/{id}', { path: { id: removed } });
  t.ok((await own.sync('/api/qrcodes', { updatedSince, onPage })) >= updatedSince);
  t.equal(copy.size, 44);
  t.equal(copy.get(renamed), 'Renamed');
  await t.rejects(own.sync('/api/qrcodes', { updatedSince: '2020-01-01', onPage }), {
    code: 'UPDATED_SINCE_TOO_OLD',
  });
});

t.test('lists that change while they are read lose nothing', async (t) => {
  const { client: own } = await createUserClient(baseUrl, await test.createUser());
  const item = { kind: 'TEXT' as const, title: 'T', data: { text: 'A' } };
  const create = (count: number) =>
    own.post('/api/qrcodes/bulk', { body: { items: Array.from({ length: count }, () => item) } });
  const remove = (ids: string[]) =>
    own.post('/api/qrcodes/bulk/delete', { body: { items: ids.map((id) => ({ id })) } });
  const listVersions = async () => {
    const versions: [string, number][] = [];
    for await (const { id, version } of own.iterate('/api/qrcodes')) versions.push([id, version]);
    return versions.toSorted();
  };
  await create(250);
  const existing = (await listVersions()).map(([id]) => id);
  t.equal(existing.length, 250);

  await t.test('an iterator reads each item that stays once', async (t) => {
    const read: string[] = [];
    const removed: string[] = [];
    for await (const { id } of own.iterate('/api/qrcodes', { query: { limit: 20 } })) {
      read.push(id);
      if (read.length % 50 !== 10) continue;
      const unread = existing.find((one) => !read.includes(one) && !removed.includes(one)) ?? '';
      removed.push(id, unread);
      await remove([id, unread]);
      await create(3);
    }
    t.equal(new Set(read).size, read.length, 'none twice');
    t.same(
      existing.filter((id) => !read.includes(id) && !removed.includes(id)),
      [],
      'none is missing',
    );
  });

  await t.test('a copy is complete after the round that follows a change', async (t) => {
    const copy = new Map<string, number>();
    let pages = 0;
    let change = async () => {};
    const onPage: Parameters<typeof own.sync<'/api/qrcodes'>>[1]['onPage'] = async ({ updated, deleted }) => {
      for (const { id, version } of updated) copy.set(id, version);
      for (const { id } of deleted) copy.delete(id);
      pages += 1;
      await change();
    };
    const changeSome = async () => {
      const ids = [...copy.keys()];
      await own.patch('/api/qrcodes/bulk', {
        body: { items: ids.slice(-3).map((id) => ({ id, title: `Page ${pages}` })) },
      });
      await remove(ids.slice(0, 2));
      await create(2);
    };
    change = changeSome;
    let updatedSince = await own.sync('/api/qrcodes', { onPage });
    t.ok(pages > 2, `${pages} pages`);
    change = async () => {};
    updatedSince = await own.sync('/api/qrcodes', { updatedSince, onPage });
    t.same([...copy].toSorted(), await listVersions());

    // A round reads the last minute again, which hides a change without a new time.
    await test.database.client.$executeRaw`UPDATE qr_codes SET updated_at = updated_at - interval '1 hour'`;
    await remove([...copy.keys()].slice(0, 120));
    pages = 0;
    change = async () => {
      change = async () => {};
      await changeSome();
    };
    updatedSince = await own.sync('/api/qrcodes', { updatedSince, onPage });
    t.ok(pages > 1, `${pages} pages of deletions`);
    await own.sync('/api/qrcodes', { updatedSince, onPage });
    t.same([...copy].toSorted(), await listVersions());
  });
});

t.test('uploads a form, and reads pictures, texts and streams', async (t) => {
  const { id } = await client.post('/api/qrcodes', {
    body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
  });
  const form = new FormData();
  form.append('picture', new Blob([new Uint8Array(ONE_PIXEL_PNG)], { type: 'image/png' }), 'rex.png');
  const picture = await client.post('/api/qrcodes/{id}/pictures', { path: { id }, body: form });
  t.equal(picture.position, 1);
  const image = await client.get('/api/qrcodes/{id}/image', { path: { id }, query: { format: 'svg' } });
  t.equal(image.type, 'image/svg+xml');
  t.match(await client.get('/api/scans/export', { query: { format: 'csv' } }), /^id,/);
  const response = await client.download('/api/scans/export', { query: { format: 'csv' } });
  t.equal(response.bodyUsed, false);
  await response.body?.cancel();
});

t.test('a filter that can repeat takes one value or several', async (t) => {
  const list = async (kind: 'TEXT' | ('TEXT' | 'PET')[]) =>
    (await client.get('/api/qrcodes', { query: { kind, limit: 1 } })).data.length;
  await createText('Filtered');
  t.same([await list('TEXT'), await list(['TEXT', 'PET'])], [1, 1]);
});

t.test('an object with a file is sent as a form, whose fields have types', async (t) => {
  const file = new File(['Lease\n'], 'lease.txt');
  const document = await client.post('/api/documents', {
    body: { file, title: 'Lease', metadata: { order: '4711' } },
  });
  t.match(document, { title: 'Lease', metadata: { order: '4711' }, fileName: 'lease.txt' });
  // @ts-expect-error the format is required
  await t.rejects(client.post('/api/imports', { body: { file } }), { errors: [{ field: 'format' }] });
});
