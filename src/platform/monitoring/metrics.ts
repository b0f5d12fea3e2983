import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of this process; labels never hold ids, addresses or other values of requests. */
export const metricsRegistry = new Registry();

const registers = [metricsRegistry];

export const httpRequestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to the end of its response, by route and status; 499: the client was gone.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers,
});

export const rateLimitedRequests = new Counter({
  name: 'qrps_rate_limited_requests_total',
  help: 'Responses with 429, by the limit class of their route.',
  labelNames: ['class'],
  registers,
});

export const databaseConnectionWait = new Histogram({
  name: 'qrps_database_connection_wait_seconds',
  help: 'Time until the pool gives a connection.',
  buckets: [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 1.5],
  registers,
});

export const databaseReads = new Counter({
  name: 'qrps_database_reads_total',
  help: 'Reads that a replica may answer, by server and reason; none without DATABASE_READ_URL.',
  labelNames: ['server', 'reason'],
  registers,
});

export const slowDatabaseStatements = new Counter({
  name: 'qrps_database_slow_statements_total',
  help: 'Statements that took longer than 500 ms, by verb and table.',
  labelNames: ['statement'],
  registers,
});

export const groupCommitSize = new Histogram({
  name: 'qrps_group_commit_size',
  help: 'Items that share a commit.',
  labelNames: ['group'],
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  registers,
});

export const qrCodeCacheLookups = new Counter({
  name: 'qrps_qr_code_cache_lookups_total',
  help: 'Scans whose code was in the cache (hit) or was read (miss).',
  labelNames: ['result'],
  registers,
});

export const webhookAttempts = new Counter({
  name: 'qrps_webhook_attempts_total',
  help: 'Requests to webhook endpoints of users, by result.',
  labelNames: ['result'],
  registers,
});

export const jobDuration = new Histogram({
  name: 'qrps_job_duration_seconds',
  help: 'Time of a job, by queue and outcome.',
  labelNames: ['queue', 'outcome'],
  buckets: [0.01, 0.05, 0.25, 1, 5, 25, 120, 600],
  registers,
});

export const lastJobFetch = new Gauge({
  name: 'qrps_job_fetch_timestamp_seconds',
  help: 'When this process last asked for jobs; absent where it runs none.',
  registers,
});

export const providerCalls = new Counter({
  name: 'qrps_provider_calls_total',
  help: 'Calls of a provider: answered, or the code of the failure.',
  labelNames: ['provider', 'result'],
  registers,
});

export const dependencyUp = new Gauge({
  name: 'qrps_dependency_up',
  help: 'Whether a dependency answered last (1) or not (0); absent while this process has not used it.',
  labelNames: ['dependency'],
  registers,
});

export const paymentWebhooks = new Counter({
  name: 'qrps_payment_webhooks_total',
  help: 'Events of the payment provider: stored, or with an invalid signature.',
  labelNames: ['outcome'],
  registers,
});

export const mailAttempts = new Counter({
  name: 'qrps_mail_attempts_total',
  help: 'Attempts to send an email: DELIVERED, WAITING for another attempt, FAILED for good, or NOT_SENT on purpose.',
  labelNames: ['outcome'],
  registers,
});

export const fileCheckFindings = new Gauge({
  name: 'qrps_file_check_findings',
  help: 'Problems that the last check of files in this process found and could not repair.',
  labelNames: ['problem'],
  registers,
});

export const lastFileCheck = new Gauge({
  name: 'qrps_file_check_timestamp_seconds',
  help: 'When this process last compared files and rows.',
  registers,
});

/** Count memory, garbage collection and event loop lag, too. Once for a process. */
export function collectProcessMetrics(): void {
  if (!metricsRegistry.getSingleMetric('nodejs_eventloop_lag_seconds'))
    collectDefaultMetrics({ register: metricsRegistry });
}
