import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, connectRealtime, createClient, verifyWebhook } from '@qr-profile-service/client';
import { WebSocket } from 'ws';
import { createWebhookHeaders } from '../../../src/features/webhooks/webhook-signature.rules.ts';
import { parseCodeBlocks } from '../../docs/markdown.ts';
import { enableSecondFactor } from '../../features/identity/second-factor/helper.ts';
import { ONE_PIXEL_PNG } from '../../features/memory-tags/gallery-helper.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';

const FILE = 'test/packages/client/readme.test.ts';
const EXAMPLE_PATTERN = /^( *)\/\/ README\n([\s\S]*?)^ *\/\/ END$/gm;

const test = await startTestApp(t);
const baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });
const user = await test.createUser();
const { recoveryCodes } = await enableSecondFactor(test, user);
const { email } = user;
const password = TEST_PASSWORD;
const askForCode = async () => recoveryCodes[0] ?? '';
const newEmail = 'newcomer@example.org';
const askForOtp = () => test.getOtp(newEmail);
const picture = new Blob([new Uint8Array(ONE_PIXEL_PNG)], { type: 'image/png' });
const copy = new Map<string, { title: string }>();
const lines: unknown[] = [];
const console = { log: (...words: unknown[]) => lines.push(words) };

t.test('the examples of the README run as shown', async (t) => {
  // README
  const client = createClient({ baseUrl });
  await client.auth.logIn({
    email,
    password,
    secondFactor: async () => ({ recoveryCode: await askForCode() }),
  });
  // END

  // README
  const newcomer = createClient({ baseUrl });
  await newcomer.post('/api/auth/register', { body: { email: newEmail, password } });
  const { accessToken } = await newcomer.post('/api/auth/verify-otp', {
    body: { email: newEmail, otp: await askForOtp() },
  });
  const { id } = await createClient({ baseUrl, token: accessToken }).post('/api/auth/create-profile', {
    body: { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' },
  });
  console.log(id);
  // END
  t.match(lines.pop(), [/^[0-9a-f]{24}$/]);

  // README
  const code = await client.post('/api/qrcodes', {
    body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
  });
  console.log(code.scanUrl);
  // END
  t.match(lines.pop(), [/^https:/]);

  // README
  const path = { id: code.id };
  const { headers } = await client.request('get', '/api/qrcodes/{id}', { path });
  await client.patch('/api/qrcodes/{id}', {
    path,
    body: { title: 'Rex the dog' },
    headers: { 'if-match': headers.get('etag') ?? '' },
  });
  // END

  // README
  await client.post('/api/qrcodes/{id}/pictures', {
    path,
    body: { picture, caption: 'Left ear folded' },
    onUploadProgress: ({ loaded, total }) => console.log(loaded / total),
  });
  // END
  t.match((await client.get('/api/qrcodes/{id}/pictures', { path })).data, [{ caption: 'Left ear folded' }]);

  // README
  const { data: results } = await client.post('/api/qrcodes/bulk', {
    body: {
      items: [
        { kind: 'PET', title: 'Rex', externalId: 'tag-1', data: { name: 'Rex' } },
        { kind: 'LUGGAGE', title: 'Bag', externalId: 'tag-2', data: { name: 'Bag' } },
      ],
    },
    timeoutMs: 60_000,
  });
  for (const { index, outcome, error } of results) console.log(index, outcome, error?.detail);
  // END
  t.match(lines.splice(0), [
    [0, 'CREATED'],
    [1, 'CREATED'],
  ]);

  // README
  const file = new File(['kind,title,data.name\nPET,Bello,Bello\n'], 'codes.csv');
  let job = await client.post('/api/imports', { body: { format: 'csv', file } });
  while ('status' in job && (job.status === 'WAITING' || job.status === 'RUNNING')) {
    await delay(1_000);
    job = await client.get('/api/imports/{id}', { path: { id: job.id } });
  }
  console.log(job.counts, job.error);
  // END
  t.match(lines.pop(), [{ created: 1, failed: 0 }, null]);

  await client.post('/api/scans/public', {
    body: { qrCodeId: code.id },
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone)' },
  });
  // README
  for await (const scan of client.iterate('/api/scans', { query: { qrCodeId: code.id } }))
    console.log(scan.scannedAt, scan.location?.city);
  // END
  t.equal(lines.length, 1);

  // README
  const updatedSince = await client.sync('/api/qrcodes', {
    onPage({ updated, deleted }) {
      for (const one of updated) copy.set(one.id, one);
      for (const { id } of deleted) copy.delete(id);
    },
  });
  // END
  t.match(copy.get(code.id), { title: 'Rex the dog' });
  t.match(updatedSince, /^\d{4}-/);

  // README
  try {
    await client.post('/api/qrcodes', { body: { kind: 'PET', title: '', data: { name: 'Rex' } } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.log(error.code, error.errors, error.requestId);
  }
  // END
  t.match(lines.pop(), ['VALIDATION_FAILED', [{ field: 'title' }], String]);

  // README
  const connection = connectRealtime(client, { WebSocket });
  for await (const { event, data } of connection) {
    console.log(event, data);
    if (event === 'ready') connection.close();
  }
  // END
  t.match(lines.pop(), ['ready', { side: 'ACCOUNT' }]);

  const { secret } = await client.post('/api/webhook-endpoints', {
    body: { url: 'http://localhost:9/', eventTypes: ['*'] },
  });
  const body = JSON.stringify({ id: '1', type: 'scan.created', data: { path: '/api/scans/1' } });
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: createWebhookHeaders([{ secret, endsAt: null }], { id: '1', at: new Date(), body }),
    body,
  });
  // README
  const event = await verifyWebhook(await request.text(), request.headers, { secrets: [secret] });
  console.log(event.type, event.data.path);
  // Of an endpoint with `include: 'object'`.
  if (event.type === 'code.lost') console.log(event.data.object?.title);
  // A new public address gets events once it has returned the challenge.
  const response = new Response(event.data.challenge);
  // END
  t.equal(response.status, 200);
  t.same(lines.pop(), ['scan.created', '/api/scans/1']);

  // README
  const { token } = await client.post('/api/api-keys', {
    body: { name: 'ERP', scopes: ['qr-codes:read'] },
  });
  const program = createClient({ baseUrl, token });
  console.log((await program.get('/api/qrcodes')).data.length);
  // END
  t.same(lines.pop(), [4]);
});

t.test('the README shows these examples', async (t) => {
  const blocks = parseCodeBlocks(await readFile('packages/client/README.md', 'utf8'));
  const [imports, ...blockCodes] = blocks.filter(({ language }) => language === 'ts').map(({ code }) => code);
  const examples = [...(await readFile(FILE, 'utf8')).matchAll(EXAMPLE_PATTERN)].map(
    ([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
  t.same(blockCodes, examples);
  t.equal(examples.length, 13);
  const source = await readFile(FILE, 'utf8');
  t.ok(source.includes(String(imports)), 'and this import');
});
