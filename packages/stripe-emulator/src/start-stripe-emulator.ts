import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type EmulatorAccess, readEmulatorAccess, writeEmulatorAccess } from './access-file.ts';
import type { Log } from './log.ts';
import type { EmulatorStore } from './store.ts';

export interface StripeEmulatorSettings {
  apiBase: string;
  secretKey: string;
  webhookSecrets: string[];
}

export interface StripeEmulator extends StripeEmulatorSettings {
  pageUrl: string;
  close(): Promise<void>;
}

type LoadedEmulator = Awaited<ReturnType<typeof import('./stripe-emulator.ts').createStripeEmulator>>;

/** Start an emulator on loopback, where anyone can pay; it refuses to start in production. No money moves. */
export async function startStripeEmulator(options: {
  webhookUrl: string | null;
  store: EmulatorStore | null;
  production: boolean;
  log: Log;
  now?: () => Date;
}): Promise<StripeEmulator> {
  const { store, log, webhookUrl } = options;
  if (options.production) throw new Error('The Stripe emulator never starts in production.');
  const before = store === null ? null : await readEmulatorAccess(store);
  const secretKey = before?.secretKey ?? `sk_test_${randomBytes(24).toString('hex')}`;
  const webhookSecret = before?.webhookSecret ?? `whsec_${randomBytes(24).toString('hex')}`;
  const realNow = () => options.now?.().getTime() ?? Date.now();
  let base = '';
  let loading: Promise<LoadedEmulator> | undefined;
  const load = () => {
    loading ??= import('./stripe-emulator.ts').then((module) =>
      module.createStripeEmulator({ base, secretKey, webhookSecret, webhookUrl, store, log, realNow }),
    );
    return loading;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    // Prevents DNS rebinding from other sites.
    if (`http://${request.headers.host}` !== base) {
      response.writeHead(404).end();
      return;
    }
    await (await load()).handle(request, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'the Stripe emulator failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  const port = await listen(server, before?.port ?? 0);
  base = `http://127.0.0.1:${port}`;
  if (store !== null) await writeEmulatorAccess(store, { port, secretKey, webhookSecret });
  // Stored objects may be due, and events undelivered.
  if (before) load().catch((error: unknown) => log.error({ err: error }, 'the Stripe emulator failed'));
  return {
    ...toEmulatorSettings({ port, secretKey, webhookSecret }),
    pageUrl: `${base}/`,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      const loaded = await loading?.catch(() => undefined);
      await loaded?.close();
    },
  };
}

/** Find the settings of a service's emulator for other processes; null when there is none. */
export async function findStripeEmulator(store: EmulatorStore): Promise<StripeEmulatorSettings | null> {
  const access = await readEmulatorAccess(store);
  return access && toEmulatorSettings(access);
}

function toEmulatorSettings({ port, secretKey, webhookSecret }: EmulatorAccess): StripeEmulatorSettings {
  return { apiBase: `http://127.0.0.1:${port}`, secretKey, webhookSecrets: [webhookSecret] };
}

/** Prefer the previous port, so that URLs stay valid. */
async function listen(server: Server, wanted: number): Promise<number> {
  try {
    return await tryListen(server, wanted);
  } catch (error) {
    if (wanted === 0 || !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'))
      throw error;
    return await tryListen(server, 0);
  }
}

function tryListen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      // Does not keep the process running.
      server.unref();
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
