import { BROWSER_SKIP_REASON, openBrowser } from '../../browser.ts';
import { ONE_PIXEL_PNG } from '../../features/memory-tags/gallery-helper.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { bundleClient, startServer } from './helper.ts';

t.test(
  'logs in, uploads with progress and listens in a browser',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const test = await startTestApp(t);
    const baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { email } = await test.createUser();
    const page = await (await openBrowser(t))();
    // Another origin than that of the service.
    await page.goto(
      await startServer(t, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
      }),
    );
    await page.addScriptTag({ content: await bundleClient() });
    const input = { baseUrl, email, password: TEST_PASSWORD, picture: ONE_PIXEL_PNG.toString('base64') };
    const result = await page.evaluate<{
      position: number;
      progress: object[];
      events: string[];
    }>(`(async () => {
      const { baseUrl, email, password, picture } = ${JSON.stringify(input)};
      const api = client.createClient({ baseUrl });
      await api.auth.logIn({ email, password });
      const { id } = await api.post('/api/qrcodes', { body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } } });
      const form = new FormData();
      form.append('picture', new Blob([Uint8Array.from(atob(picture), (one) => one.charCodeAt(0))]), 'rex.png');
      const progress = [];
      const onUploadProgress = (one) => progress.push(one);
      const { position } = await api.post('/api/qrcodes/{id}/pictures', { path: { id }, body: form, onUploadProgress });
      const events = [];
      const connection = client.connectRealtime(api);
      for await (const { event } of connection) {
        events.push(event);
        if (event === 'ready') connection.send({ event: 'ping' });
        else break;
      }
      return { position, progress, events };
    })()`);
    t.equal(result.position, 1);
    t.match(result.progress.at(-1), { loaded: Number, total: Number });
    t.same(result.events, ['ready', 'pong']);
  },
);
