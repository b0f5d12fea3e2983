import { createRequire } from 'node:module';
import { pino } from 'pino';
import type { Test } from 'tap';
import { loadConfig } from '../../../src/config.ts';
import { createGroupCommit } from '../../../src/platform/group-commit.ts';
import { createRedisConnection } from '../../../src/platform/redis.ts';
import { createHttpAuditCheckpointSender } from '../../../src/providers/checkpoints/http-checkpoint-sender.ts';
import { createNominatimGeocoder } from '../../../src/providers/geocoding/nominatim-geocoder.ts';
import { sendHttpRequest } from '../../../src/shared/http-client.ts';
import { createConcurrencyLimiter } from '../../../src/shared/limiter.ts';
import { getActiveSpan, getTraceLogFields, traceWork } from '../../../src/shared/tracing.ts';
import { startTracing, type TracingTiming } from '../../../src/start/start-tracing.ts';
import { startScans } from '../../features/scans/helper.ts';
import { createTestGate } from '../../gate.ts';
import { startTestApp } from '../../helper.ts';
import { REDIS_SKIP_REASON, startRedisServer } from '../../redis-server.ts';
import { startS3Server } from '../../s3-server.ts';
import { retryUntilSuccess } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import {
  type CollectedSpan,
  getSpanAttribute,
  startTraceCollector,
  type TraceCollector,
} from '../../trace-collector.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`;
const NAME_OF_KIND = ['', 'internal', 'server', 'client', 'producer', 'consumer'];

/** The API is also that of prom-client. */
function listLoadedLibraries(): string[] {
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  return loaded.filter((file) => /@opentelemetry\/(?!api\/)/.test(file));
}

async function trace(t: Test, environment: Record<string, string>, overrides: TracingTiming = {}) {
  const log: string[] = [];
  const record = (_details: object, message: string) => void log.push(message);
  const settings = loadConfig({ NODE_ENV: 'test', ...environment }).traces;
  const timing = { exportTimeoutMs: 200, exportDelayMs: 20, ...overrides };
  const tracing = await startTracing(settings, { info: record, warn: record, error: record }, timing);
  t.teardown(() => tracing.stop());
  return { log, tracing };
}

async function findSpan(collector: TraceCollector, isWanted: (span: CollectedSpan) => boolean) {
  return retryUntilSuccess(async () => {
    const span = collector.spans().find(isWanted);
    if (!span)
      throw new Error(
        collector
          .spans()
          .map(({ name }) => name)
          .join(', '),
      );
    return span;
  });
}

t.test('nothing is loaded and no request is traced unless a collector is configured', async (t) => {
  const { tracing } = await trace(t, {});
  const { app, call } = await startTestApp(t);
  t.equal((await call('GET', '/api/health/live', { headers: { traceparent: TRACEPARENT } })).status, 200);
  t.notOk(app.hasRequestDecorator('span'));
  traceWork('work', { kind: 'internal' }, (span) => t.equal(span, undefined));
  await tracing.stop();
  t.same(listLoadedLibraries(), []);
});

t.test(
  'a trace leads from a request through statements, files and jobs, without private values',
  async (t) => {
    const collector = await startTraceCollector(t);
    const s3 = await startS3Server(t);
    const { tracing } = await trace(t, {
      ...collector.environment,
      OTEL_SERVICE_NAME: 'codes',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20secret,x-tenant=a==',
    });
    t.not(listLoadedLibraries().length, 0);
    const environment = { ...collector.environment, ...s3.environment, TRUST_PROXY: '127.0.0.1' };
    const { call, code, scan, owner, log } = await startScans(t, environment);
    const headers = { traceparent: TRACEPARENT };
    const email = 'zelda.quartz@example.org';

    const registered = await call('POST', '/api/auth/register', {
      body: { email, password: 'a lighthouse for lost dogs' },
      headers,
    });
    t.equal(registered.status, 201);
    const qrCodeId = await code({ data: { name: 'Xylophia' }, pin: '8642' });
    const opened = await scan({ qrCodeId, pin: '8642' }, { headers: { 'x-request-id': 'proxy-request-1' } });
    t.equal(opened.status, 201, opened.text);
    await call('GET', `/api/auth/nothing/${owner.accessToken}?secret=hidden-query`);
    await call('GET', `/api/qrcodes/${qrCodeId}?q=hidden-query`, { token: owner.accessToken });
    const { body } = await call('GET', `/api/qrcodes/${qrCodeId}`, { token: owner.accessToken });
    t.equal((await call('GET', new URL(body.imageUrl).pathname)).status, 200);

    const server = await findSpan(collector, ({ traceId, kind }) => traceId === TRACE_ID && kind === 2);
    const consumer = await findSpan(collector, ({ traceId, kind }) => traceId === TRACE_ID && kind === 5);
    await tracing.stop();
    const spans = collector.spans();
    const findById = (id: string | undefined) => spans.find(({ spanId }) => spanId === id);

    await t.test('the trace of the proxy continues into the job', async (t) => {
      t.equal(server.name, 'POST /api/auth/register');
      t.equal(server.parentSpanId, PARENT_ID);
      t.equal(getSpanAttribute(server, 'http.route'), '/api/auth/register');
      t.equal(getSpanAttribute(server, 'http.response.status_code'), 201);
      t.match(consumer.name, /^process /);
      const producer = findById(consumer.parentSpanId);
      t.match(producer, { kind: 4, traceId: TRACE_ID, parentSpanId: server.spanId });
      const names = spans
        .filter(({ traceId }) => traceId === TRACE_ID)
        .map(({ name, kind }) => `${NAME_OF_KIND[kind]} ${name}`);
      t.ok(
        names.some((name) => name.startsWith('client insert ')),
        names.join(),
      );
      t.ok(names.includes('client commit'), names.join());
      const statement = spans.find(
        ({ parentSpanId, kind }) => parentSpanId === consumer.spanId && kind === 3,
      );
      t.equal(getSpanAttribute(statement ?? consumer, 'db.system.name'), 'postgresql');
    });

    await t.test('a scan names its commit, an image its file, an unknown path no route', async (t) => {
      const scanned = spans.find(({ name }) => name === 'POST /api/scans/public');
      const commit = spans.find(({ name }) => /^commit /.test(name));
      t.equal(commit?.parentSpanId, scanned?.spanId);
      t.ok(spans.some(({ parentSpanId, kind }) => parentSpanId === commit?.spanId && kind === 3));
      t.match(
        findById(spans.find(({ name }) => name === 'S3 PutObject')?.parentSpanId)?.traceId,
        /^[0-9a-f]{32}$/,
      );
      const unknown = spans.filter(({ name, kind }) => kind === 2 && name === 'GET');
      t.match(
        unknown.map((span) => getSpanAttribute(span, 'http.route')),
        [undefined],
      );
    });

    await t.test('log lines name the request and the span', async (t) => {
      const lines = log.map((line) => JSON.parse(line));
      const scanned = spans.find(({ name }) => name === 'POST /api/scans/public');
      t.match(
        lines.find(({ requestId }) => requestId === 'proxy-request-1'),
        { trace_id: scanned?.traceId, span_id: scanned?.spanId, res: { statusCode: 201 } },
      );
    });

    await t.test('nothing private leaves the process', async (t) => {
      const bytes = collector.requests.map(({ body }) => body).join('\n');
      const privateValues = [
        email,
        'zelda',
        'Xylophia',
        qrCodeId,
        owner.accessToken,
        owner.id,
        owner.email,
        'hidden-query',
        'lighthouse',
      ];
      for (const value of privateValues) t.notOk(bytes.includes(value), value);
      const texts = spans.flatMap(({ name, attributes, status }) => [
        name,
        JSON.stringify(attributes),
        status.message ?? '',
      ]);
      t.notOk(
        texts.some((text) => text.includes('8642')),
        'the PIN',
      );
      t.ok(spans.every(({ name }) => name.length < 100));
    });

    t.match(collector.requests[0], {
      url: '/v1/traces',
      headers: { authorization: 'Bearer secret', 'x-tenant': 'a==' },
    });
    t.match(collector.requests[0]?.body, '{"key":"service.name","value":{"stringValue":"codes"}}');
  },
);

t.test('only a trusted proxy decides about a trace', async (t) => {
  const collector = await startTraceCollector(t);
  const environment = { ...collector.environment, OTEL_TRACES_SAMPLER_ARG: '0', TRUST_PROXY: '192.0.2.1' };
  const { tracing } = await trace(t, environment);
  const { call } = await startTestApp(t, environment);
  const send = (remoteAddress: string, traceparent: string) =>
    call('GET', '/api/qrcodes', { remoteAddress, headers: { traceparent } });
  await send('192.0.2.1', TRACEPARENT);
  const probe = { remoteAddress: '192.0.2.1', headers: { traceparent: TRACEPARENT.replace('4bf9', 'bbbb') } };
  for (const path of ['/api/health/live', '/api/health/ready']) await call('GET', path, probe);
  await send('198.51.100.7', TRACEPARENT.replace('4bf9', 'aaaa'));
  await send('192.0.2.1', TRACEPARENT.replace(/01$/, '00'));
  const invalid = [
    '',
    'x',
    `ff${TRACEPARENT.slice(2)}`,
    `00-${'0'.repeat(32)}-${PARENT_ID}-01`,
    `${TRACEPARENT}\n`,
    `${TRACEPARENT}, ${TRACEPARENT}`,
  ];
  for (const traceparent of invalid) await send('192.0.2.1', traceparent.trim());
  await tracing.stop();
  t.same([...new Set(collector.spans().map(({ traceId }) => traceId))], [TRACE_ID]);
});

t.test('a share below all begins at most two traces a second, and those of proxies', async (t) => {
  // Loaded only here: an earlier test sees that nothing loads it.
  const { createOpenTelemetryTracer } = await import('../../../src/platform/tracing/opentelemetry.ts');
  const PARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-0`;
  const countTraces = (ratio: number, traceparent?: string) => {
    const settings = {
      endpoint: 'http://127.0.0.1:1',
      headers: {},
      serviceName: 'qr',
      serviceVersion: '1',
      ratio,
    };
    const tracer = createOpenTelemetryTracer({ ...settings, onExport() {} });
    const spans = Array.from({ length: 20 }, () =>
      tracer.startTrace('work', { kind: 'internal' }, traceparent),
    );
    return spans.filter((span) => span !== null).length;
  };
  t.equal(countTraces(1), 20);
  t.equal(countTraces(0.999999), 1);
  t.equal(countTraces(0), 0);
  t.equal(countTraces(0, `${PARENT}1`), 20);
  t.equal(countTraces(1, `${PARENT}0`), 0);
});

t.test('traceparent is sent to the operator, never to others', async (t) => {
  const collector = await startTraceCollector(t);
  const { tracing } = await trace(t, collector.environment);
  const receiver = await startTraceCollector(t);
  await createHttpAuditCheckpointSender(`${receiver.url}/checkpoint?token=hidden-query`)('{}');
  await traceWork('work', { kind: 'internal' }, async () => {
    await sendHttpRequest(`${receiver.url}/other?q=hidden-query`, {
      timeoutMs: 2_000,
      maxResponseBytes: 100,
    });
    await createNominatimGeocoder({ url: receiver.url, userAgent: 'test' })
      .reverseGeocode(52.5, 13.3)
      .catch(() => undefined);
  });
  await tracing.stop();
  const sent = receiver.requests.map(({ headers }) => headers.traceparent);
  t.match(sent[0], /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  t.same(new Set(sent.slice(1)), new Set([undefined]));
  const spans = collector.spans().filter(({ kind }) => kind === 3);
  t.match(sent[0], spans[0]?.spanId);
  t.match(
    spans.map((span) => getSpanAttribute(span, 'server.address')),
    ['127.0.0.1', '127.0.0.1'],
  );
  t.notMatch(JSON.stringify(spans), /hidden-query|checkpoint\?|52\.5/);
});

t.test('shared work is linked to all that wait for it, and a queue keeps traces apart', async (t) => {
  const collector = await startTraceCollector(t);
  const { tracing } = await trace(t, collector.environment);
  const put = createGroupCommit<number, number>({
    name: 'numbers',
    write: async (items) => items.map((value) => ({ value })),
    isFaultOfItem: () => false,
    maxGroupSize: 10,
    maxPending: 10,
  });
  const names = ['first', 'second', 'third'];
  await Promise.all(names.map((name, index) => traceWork(name, { kind: 'internal' }, () => put(index))));
  const limit = createConcurrencyLimiter(1);
  const gate = createTestGate();
  const traceIds: unknown[] = [];
  const work = async () => {
    await gate.whenOpened;
    traceIds.push(getActiveSpan()?.traceId);
  };
  const expected: unknown[] = [];
  const runs = [...names, null].map((name) =>
    name === null
      ? limit(work)
      : traceWork(name, { kind: 'internal' }, (span) => {
          expected.push(span?.traceId);
          return limit(work);
        }),
  );
  gate.open();
  await Promise.all(runs);
  t.same(traceIds, [...expected, undefined]);

  const lines: string[] = [];
  const log = pino({ mixin: () => getTraceLogFields() }, { write: (line: string) => void lines.push(line) });
  traceWork('logged', { kind: 'internal' }, (span) => {
    log.warn({}, 'inside');
    t.match(JSON.parse(lines[0] ?? ''), { trace_id: span?.traceId, span_id: span?.spanId });
  });
  log.warn({}, 'outside');
  t.notMatch(lines[1], /trace_id/);

  await tracing.stop();
  const [alone, shared] = collector.spans().filter(({ name }) => name === 'commit numbers');
  t.match(alone?.links ?? [], []);
  t.equal(shared?.links?.length, 1);
});

t.test('Redis commands are traced by name', { skip: REDIS_SKIP_REASON }, async (t) => {
  const collector = await startTraceCollector(t);
  const redis = await startRedisServer(t);
  await redis.start();
  const { tracing } = await trace(t, collector.environment);
  const connection = createRedisConnection({ url: redis.url, log: { info() {}, warn() {} } });
  t.teardown(() => connection.close());
  connection.open();
  await retryUntilSuccess(async () => {
    if (!connection.isUp()) throw new Error('Redis is not connected.');
  });
  const script = { text: 'return ARGV[1]', keys: ['private-key'], args: ['private-value'] };
  await traceWork('work', { kind: 'internal' }, () => connection.run(script, (answer) => answer));
  await tracing.stop();
  const [span, work] = collector.spans();
  t.match(span, { name: 'EVAL', kind: 3, parentSpanId: work?.spanId });
  t.notMatch(collector.requests[0]?.body, /private-/);
});

t.test('a collector that never answers, or is gone, harms no request', async (t) => {
  const collector = await startTraceCollector(t);
  const { tracing, log } = await trace(t, collector.environment);
  const { call } = await startTestApp(t, collector.environment);
  const request = async () => t.equal((await call('GET', '/nothing')).status, 404);
  const untilLogged = (count: number, text: RegExp) =>
    retryUntilSuccess(async () => {
      await request();
      if (log.filter((line) => text.test(line)).length < count) throw new Error(log.join());
    });
  collector.override = () => {};
  await untilLogged(1, /collector is unavailable/);
  collector.override = null;
  await untilLogged(1, /available again/);
  await collector.stop();
  await untilLogged(2, /collector is unavailable/);
  for (let count = 0; count < 100; count += 1) await request();
  await tracing.stop();
  t.equal(log.filter((line) => /is unavailable/.test(line)).length, 2, 'each outage is logged once');
});

t.test('spans that wait for a collector are bounded, and so is the time to stop', async (t) => {
  const collector = await startTraceCollector(t);
  const first = await trace(t, collector.environment);
  collector.override = () => {};
  for (let count = 0; count < 10_000; count += 1) traceWork('work', { kind: 'internal' }, () => {});
  collector.override = null;
  await first.tracing.stop();
  const sentCount = new Set(collector.spans().map(({ spanId }) => spanId)).size;
  t.ok(sentCount > 0 && sentCount < 5_000, String(sentCount));

  collector.override = () => {};
  const timing = { exportTimeoutMs: 60_000, stopTimeoutMs: 50 };
  const { tracing, log } = await trace(t, collector.environment, timing);
  traceWork('work', { kind: 'internal' }, () => {});
  await tracing.stop();
  t.match(log.at(-1), /not sent in time/);
});
