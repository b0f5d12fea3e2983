import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ClientOptions,
  createClient,
  type Session,
  type SessionStore,
} from '@qr-profile-service/client';
import { build } from 'esbuild';
import type { Test } from 'tap';
import { TEST_PASSWORD, type TestUser } from '../../helper.ts';

/** A store whose session a test can read and replace. */
export function createTestStore(session: Session | null = null): SessionStore & { session: Session | null } {
  const store = {
    session,
    load: () => store.session,
    save(changed: Session | null) {
      store.session = changed;
    },
  };
  return store;
}

/** Create a client that is logged in as a user, and repeats without long pauses. */
export async function createUserClient(
  baseUrl: string,
  user: Pick<TestUser, 'email'>,
  options: Partial<ClientOptions> = {},
) {
  const store = createTestStore();
  const client = createClient({ baseUrl, session: store, maxRetryDelayMs: 10, ...options });
  await client.auth.logIn({ email: user.email, password: TEST_PASSWORD });
  return { client, store };
}

/** Count the requests of a client, and lose the answers that `isLost` chooses. */
export function createRecordingFetch(isLost: (path: string, count: number) => boolean = () => false) {
  const requests: { path: string; key: string | null }[] = [];
  const send: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname;
    requests.push({ path, key: new Headers(init?.headers).get('idempotency-key') });
    const response = await fetch(input, init);
    if (isLost(path, requests.filter((one) => one.path === path).length)) throw new TypeError('lost');
    return response;
  };
  return { fetch: send, requests };
}

/** Start a server for answers that the service gives rarely. */
export async function startServer(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Bundle the client as a script that sets `client`, as a page without modules would load it. */
export async function bundleClient(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['packages/client/dist/index.js'],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'client',
    platform: 'neutral',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
