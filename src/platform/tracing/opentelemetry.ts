import {
  type Span as ApiSpan,
  type Tracer as ApiTracer,
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Span, SpanAttributes, SpanOptions, Tracer } from '../../shared/tracing.ts';
import { getErrorCodeOrName } from '../error-reason.ts';

export interface TracingSettings {
  /** Base URL of an OTLP/HTTP receiver. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** Share of the traces that begin here, from 0 to 1; below 1 at most two in a second. */
  ratio: number;
}

interface OpenTelemetryOptions extends TracingSettings {
  serviceVersion: string;
  /** Called for each batch: null when the receiver took it, else why not. */
  onExport: (failureCode: string | null) => void;
  /** For tests. */
  exportTimeoutMs?: number;
  exportDelayMs?: number;
}

export interface OpenTelemetryTracer extends Tracer {
  /** Send what has ended. */
  flush(): Promise<void>;
}

/** With the attempts of the exporter; meanwhile spans wait in the queue. */
const EXPORT_TIMEOUT_MS = 5_000;

const EXPORT_DELAY_MS = 5_000;

/** Surplus spans are dropped. */
const MAX_QUEUED_SPANS = 4_096;

/** Batches are serialized on the event loop. */
const BATCH_SIZE = 256;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

const MIN_TRACE_INTERVAL_MS = 500;

/** W3C Trace Context, version 00; later ones may append to it. */
const TRACEPARENT_PATTERN = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Create a tracer that sends spans to a receiver; nothing waits for it. */
export function createOpenTelemetryTracer(options: OpenTelemetryOptions): OpenTelemetryTracer {
  const { exportTimeoutMs = EXPORT_TIMEOUT_MS, exportDelayMs = EXPORT_DELAY_MS } = options;
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint}/v1/traces`,
    headers: { ...options.headers },
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.serviceVersion,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: observeExports(exporter, options.onExport),
        maxQueueSize: MAX_QUEUED_SPANS,
        maxExportBatchSize: BATCH_SIZE,
        scheduledDelayMillis: exportDelayMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const isSampled = createSampler(options.ratio);
  const tracer = provider.getTracer(options.serviceName, options.serviceVersion);
  return {
    startTrace(name, spanOptions, traceparent) {
      const parent = parseTraceparent(traceparent);
      if (parent ? !(parent.traceFlags & TraceFlags.SAMPLED) : !isSampled()) return null;
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      return new RecordingSpan(tracer, startSpan(tracer, name, spanOptions, context));
    },
    async flush() {
      await provider.forceFlush().catch(() => undefined);
      await provider.shutdown().catch(() => undefined);
    },
  };
}

/**
 * Decide which traces begin here: a share of them. Unless that is all, at most two in a second: what is not sampled costs
 * more while a trace is open.
 */
function createSampler(ratio: number): () => boolean {
  let nextAt = 0;
  return () => {
    if (Math.random() >= ratio) return false;
    const now = performance.now();
    if (ratio < 1 && now < nextAt) return false;
    nextAt = now + MIN_TRACE_INTERVAL_MS;
    return true;
  };
}

function observeExports(exporter: SpanExporter, onExport: OpenTelemetryOptions['onExport']): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        onExport(result.code === 0 ? null : getErrorCodeOrName(result.error));
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

function parseTraceparent(traceparent: string | undefined): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT_PATTERN.exec(traceparent ?? '') ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return trace.isSpanContextValid(context) ? context : null;
}

function startSpan(
  tracer: ApiTracer,
  name: string,
  { kind, attributes, links }: SpanOptions,
  context: Context,
): ApiSpan {
  return tracer.startSpan(
    name,
    {
      kind: KINDS[kind],
      ...(attributes && { attributes: { ...attributes } }),
      ...(links && {
        links: links.map(({ traceId, spanId }) => ({ context: { traceId, spanId, traceFlags: 1 } })),
      }),
    },
    context,
  );
}

class RecordingSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly #tracer: ApiTracer;
  readonly #span: ApiSpan;
  #childContext: Context | undefined;

  constructor(tracer: ApiTracer, span: ApiSpan) {
    const { traceId, spanId } = span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
    this.#tracer = tracer;
    this.#span = span;
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-01`;
  }

  isEnded(): boolean {
    return !this.#span.isRecording();
  }

  startChild(name: string, options: SpanOptions): Span {
    this.#childContext ??= trace.setSpan(ROOT_CONTEXT, this.#span);
    return new RecordingSpan(this.#tracer, startSpan(this.#tracer, name, options, this.#childContext));
  }

  setAttributes(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  recordError(error: unknown): void {
    this.#span.setAttribute('error.type', getErrorCodeOrName(error));
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    if (!this.isEnded()) this.#span.end();
  }
}
