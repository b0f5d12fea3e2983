import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';

const { app, call, createUser } = await startTestApp(t, { PUBLIC_BASE_URL: 'https://example.org/qr/' });
const user = await createUser();
const token = user.accessToken;

t.test('Location has the path of the public address, also of a repeat', async (t) => {
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const headers = { 'idempotency-key': 'a-key-of-16-characters' };
  for (const isReplayed of [undefined, 'true']) {
    const created = await call('POST', '/api/qrcodes', { token, headers, body });
    t.match(created, { status: 201, headers: { 'idempotency-replayed': isReplayed } });
    t.equal(created.headers.location, `/qr/api/qrcodes/${created.body.id}`);
  }
  const exported = await call('POST', '/api/auth/exports', {
    token,
    body: { password: TEST_PASSWORD },
  });
  t.match(exported.headers.location, /^\/qr\/api\/auth\/exports\/[0-9a-f]{24}$/, exported.text);
  const put = { token, body };
  const byExternalId = await call('PUT', '/api/qrcodes/by-external-id/tag-1', put);
  t.equal(byExternalId.headers.location, `/qr/api/qrcodes/${byExternalId.body.id}`);
});

t.test('redirects and links of pages have it once', async (t) => {
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id } = (await call('POST', '/api/qrcodes', { token, body })).body;
  t.equal((await call('GET', `/s/${id}/pin?lang=en`)).headers.location, `/qr/s/${id}?lang=en`);
  const page = await call('GET', `/s/${id}?lang=en`);
  for (const [, address = ''] of page.text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g))
    t.match(address, /^\/qr\/(?!qr\/)/, address);
});

t.test('an error names its page there', async (t) => {
  const type = '/qr/api/docs/errors/NOT_FOUND';
  t.equal((await call('GET', `/api/qrcodes/${user.id}`, { token })).body.type, type);
  t.equal((await call('GET', '/api/nowhere')).body.type, type);
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.end('NONSENSE\r\n\r\n');
  t.match(await text(socket), /"type":"\/qr\/api\/docs\/errors\/VALIDATION_FAILED"/);
});
