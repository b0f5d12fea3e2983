import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { createWebhookHeaders } from '../../../src/features/webhooks/webhook-signature.rules.ts';
import { t } from '../../tap.ts';
import { bundleClient, startServer } from './helper.ts';

/** Compressed, of an application that uses everything. */
const MAX_BUNDLE_BYTES = 6_000;

/** What browsers and edge runtimes have in common: https://min-common-api.proposal.wintertc.org */
const WEB_GLOBALS = [
  ...['AbortController', 'AbortSignal', 'Blob', 'FormData', 'Headers', 'Request', 'Response', 'TextDecoder'],
  ...['TextEncoder', 'URL', 'URLSearchParams', 'atob', 'clearTimeout', 'crypto', 'fetch', 'setTimeout'],
];

t.test('runs without anything of Node', async (t) => {
  const origin = await startServer(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"enabled":true}');
  });
  const secret = `whsec_${btoa('a secret of the receiver')}`;
  const body = '{"id":"1","type":"code.lost"}';
  const headers = createWebhookHeaders([{ secret, endsAt: null }], { id: '1', at: new Date(), body });
  const context = createContext({
    ...Object.fromEntries(WEB_GLOBALS.map((name) => [name, Reflect.get(globalThis, name)])),
    input: { origin, body, headers, secret },
  });
  const results = await runInContext(
    `${await bundleClient()}
    Promise.all([
      client.createClient({ baseUrl: input.origin }).get('/api/auth/mfa'),
      client.verifyWebhook(input.body, input.headers, { secrets: input.secret }),
      client.createClient({ baseUrl: input.origin }).auth.getSession(),
    ])`,
    context,
  );
  t.match(results, [{ enabled: true }, { type: 'code.lost' }, null]);
});

t.test('is small, and an application keeps only what it uses', async (t) => {
  const bytes = gzipSync(await bundleClient()).length;
  t.ok(bytes <= MAX_BUNDLE_BYTES, `${bytes} of ${MAX_BUNDLE_BYTES} bytes`);
  const { outputFiles } = await build({
    stdin: {
      contents: "import { verifyWebhook } from '@qr-profile-service/client'; console.log(verifyWebhook);",
      resolveDir: process.cwd(),
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  t.notMatch(outputFiles[0]?.text, /createClient|api\/realtime/);
});

t.test('declares no dependency, and no side effect', async (t) => {
  const { dependencies, sideEffects, exports } = JSON.parse(
    await readFile('packages/client/package.json', 'utf8'),
  );
  t.same({ dependencies, sideEffects }, { dependencies: undefined, sideEffects: false });
  t.same(Object.keys(exports), ['.']);
});
