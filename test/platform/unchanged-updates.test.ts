import { captureAuditEntries } from '../features/audit-trail-helper.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../features/memory-tags/gallery-helper.ts';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';

t.test('a change to what is already stored keeps version and time, and is not audited', async (t) => {
  const app = await startTestApp(t);
  const { call } = app;
  const { id, accessToken: token } = await app.createUser();
  const send = async (method: string, url: string, body?: object) => {
    const answer = await call(method, url, { token, body });
    t.match(answer.status, /^20/, `${method} ${url}: ${answer.text}`);
    return answer;
  };
  const pet = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const code = await send('POST', '/api/qrcodes', pet);
  const form = createPictureForm(ONE_PIXEL_PNG, { caption: 'a' });
  const picture = await call('POST', `/api/qrcodes/${code.body.id}/pictures`, { token, ...form });
  const endpoint = { url: 'https://example.org/hook', eventTypes: ['code.created'], description: 'e\u0301' };
  const tag = await send('POST', '/api/memory-tags', { name: 'Ada' });
  const organization = await send('POST', '/api/organizations', { name: 'Ada' });
  const folder = await send('POST', '/api/folders', { name: 'Ada' });
  const view = await send('POST', '/api/saved-views', { name: 'Ada', query: {} });
  const targets: [url: string, change: object][] = [
    [`/api/auth/profile/${id}`, { firstName: 'Eve\u0301', phone: '+49301234567', language: 'de' }],
    [
      '/api/notifications/preferences',
      { quietHours: { from: '22:00', to: '07:00' }, preferences: { 'scan.created': { EMAIL: true } } },
    ],
    [
      `/api/qrcodes/${code.body.id}`,
      { title: 'Max', metadata: { a: 'b' }, expiresAt: '2999-01-01T00:00:00.000Z' },
    ],
    [`/api/qrcodes/${code.body.id}/pictures/${picture.body.id}`, { caption: 'b', position: 1 }],
    [`/api/memory-tags/${tag.body.id}`, { epitaph: 'Loved', bornOn: '1815-12-10' }],
    [`/api/organizations/${organization.body.id}`, { name: 'e\u0301', timeZone: 'Europe/Lisbon' }],
    [`/api/folders/${folder.body.id}`, { name: 'e\u0301', color: 'RED' }],
    [`/api/saved-views/${view.body.id}`, { name: 'e\u0301', query: { sort: 'title', kind: 'PET' } }],
    [`/api/webhook-endpoints/${(await send('POST', '/api/webhook-endpoints', endpoint)).body.id}`, endpoint],
  ];
  for (const [url, change] of targets) {
    const first = await send('PATCH', url, change);
    const entries = await captureAuditEntries(app, async () => {
      const again = await send('PATCH', url, change);
      t.same(again.body, first.body, url);
      t.equal(again.headers.etag, first.headers.etag, url);
    });
    t.same(entries, [], url);
  }
});
