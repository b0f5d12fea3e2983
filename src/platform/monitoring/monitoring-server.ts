import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { withinTime } from '../../shared/within-time.ts';
import { collectProcessMetrics, lastJobFetch, metricsRegistry } from './metrics.ts';

export interface MonitoringSettings {
  host: string;
  /** 0 chooses a free one. */
  port: number;
  /** Scrapers send it as a Bearer token. */
  token: string | undefined;
}

export interface MonitoringServer {
  port: number;
  close(): Promise<void>;
}

interface MonitoringOptions {
  settings: MonitoringSettings;
  readDatabaseGauges: () => Promise<string>;
  /** Not ready when this process has not asked for jobs for a minute. */
  runsJobs: boolean;
}

const READ_TIMEOUT_MS = 5_000;
const MAX_JOB_SILENCE_SECONDS = 60;
const MAX_CONNECTIONS = 32;

/** Listen on a port of its own, so that no proxy publishes it and a busy service still answers. */
export async function startMonitoringServer(options: MonitoringOptions): Promise<MonitoringServer> {
  collectProcessMetrics();
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    respond(options, request, response).catch(() =>
      sendText(response, 500, 'The metrics could not be read.\n'),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host: options.settings.host, port: options.settings.port });
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.settings.port,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(
  { settings, readDatabaseGauges, runsJobs }: MonitoringOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return sendText(response, 405, 'Use GET.\n', { Allow: 'GET, HEAD' });
  if (path === '/health/live') return sendText(response, 200, 'live\n');
  if (path === '/health/ready') {
    const isReady = !runsJobs || (await hasFetchedJobs());
    return sendText(response, isReady ? 200 : 503, isReady ? 'ready\n' : 'not ready: no jobs were fetched\n');
  }
  if (path !== '/metrics') return sendText(response, 404, 'See /metrics, /health/live and /health/ready.\n');
  if (settings.token !== undefined && !hasToken(request, settings.token))
    return sendText(response, 401, 'Send METRICS_TOKEN as a Bearer token.\n', {
      'WWW-Authenticate': 'Bearer',
    });
  // Metrics of the process are sent even while the database is unavailable.
  const [processMetrics, databaseMetrics] = await Promise.all([
    metricsRegistry.metrics(),
    withinTime(READ_TIMEOUT_MS, readDatabaseGauges).catch(() => ''),
  ]);
  sendText(response, 200, processMetrics + databaseMetrics, { 'Content-Type': metricsRegistry.contentType });
}

async function hasFetchedJobs(): Promise<boolean> {
  const fetchedAt = (await lastJobFetch.get()).values[0]?.value ?? 0;
  return Date.now() / 1_000 - fetchedAt < MAX_JOB_SILENCE_SECONDS;
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  return timingSafeEquals(headers.authorization ?? '', `Bearer ${token}`);
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) return;
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(text);
}
