import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ProcessLog } from '../../shared/process-log.ts';
import { codeOf } from '../../start/private-file.ts';
import { readAccess, type SandboxAccess, writeAccess } from './access-file.ts';

/** How a sandbox is reached. */
export interface PaymentSandboxSettings {
  apiBase: string;
  secretKey: string;
  webhookSecrets: string[];
}

/** A running sandbox. */
export interface PaymentSandbox extends PaymentSandboxSettings {
  /** Its page for people. */
  pageUrl: string;
  close(): Promise<void>;
}

type Loaded = Awaited<ReturnType<typeof import('./payment-sandbox.ts').createPaymentSandbox>>;

/**
 * Starts a stand-in for Stripe, for trying things out where none is configured: its API, its pages and its webhooks,
 * with which no money moves. It listens on loopback alone, whatever the service does, since whoever reaches it can
 * “pay”; it refuses to start in production. What it is made of is loaded by the first request, or where something is
 * kept of an earlier start.
 * @param options.webhookUrl where events go; nowhere for now without one
 * @param options.dataDir where its state is kept; in memory alone without one
 * @param options.now for tests
 */
export async function startPaymentSandbox(options: {
  webhookUrl: string | null;
  dataDir: string | null;
  production: boolean;
  log: ProcessLog;
  now?: () => Date;
}): Promise<PaymentSandbox> {
  const { dataDir, log, webhookUrl } = options;
  if (options.production) throw new Error('The payment sandbox never starts in production.');
  const before = dataDir === null ? null : await readAccess(dataDir);
  const secretKey = before?.secretKey ?? `sk_test_${randomBytes(24).toString('hex')}`;
  const webhookSecret = before?.webhookSecret ?? `whsec_${randomBytes(24).toString('hex')}`;
  const realNow = () => options.now?.().getTime() ?? Date.now();
  let base = '';
  let loading: Promise<Loaded> | undefined;
  const load = () => {
    loading ??= import('./payment-sandbox.ts').then((module) =>
      module.createPaymentSandbox({ base, secretKey, webhookSecret, webhookUrl, dataDir, log, realNow }),
    );
    return loading;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    // A page of another site could reach it under a name of its own that leads here.
    if (`http://${request.headers.host}` !== base) {
      response.writeHead(404).end();
      return;
    }
    await (await load()).handle(request, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'the payment sandbox failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  const port = await listen(server, before?.port ?? 0);
  base = `http://127.0.0.1:${port}`;
  if (dataDir !== null) await writeAccess(dataDir, { port, secretKey, webhookSecret });
  // What was left may be due, and events may still be on their way.
  if (before) load().catch((error: unknown) => log.error({ err: error }, 'the payment sandbox failed'));
  return {
    ...settingsOf({ port, secretKey, webhookSecret }),
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

/** How the sandbox of a service with this data folder is reached, for other processes beside it; null without one. */
export async function findPaymentSandbox(dataDir: string): Promise<PaymentSandboxSettings | null> {
  const access = await readAccess(dataDir);
  return access && settingsOf(access);
}

function settingsOf({ port, secretKey, webhookSecret }: SandboxAccess): PaymentSandboxSettings {
  return { apiBase: `http://127.0.0.1:${port}`, secretKey, webhookSecrets: [webhookSecret] };
}

/** Listens on the port of the last time where it is free, so that addresses stay good. */
async function listen(server: Server, wanted: number): Promise<number> {
  try {
    return await tryPort(server, wanted);
  } catch (error) {
    if (wanted === 0 || codeOf(error) !== 'EADDRINUSE') throw error;
    return await tryPort(server, 0);
  }
}

function tryPort(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      // It ends with the process and keeps it from nothing.
      server.unref();
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
