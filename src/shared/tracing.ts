import { AsyncLocalStorage } from 'node:async_hooks';

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Leaves the process: names of this code, codes and numbers, never values of requests. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  kind: SpanKind;
  attributes?: SpanAttributes;
  links?: readonly Span[];
}

/** A span of a sampled trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** The header of W3C Trace Context. */
  readonly traceparent: string;
  isEnded(): boolean;
  startChild(name: string, options: SpanOptions): Span;
  setAttributes(attributes: SpanAttributes): void;
  /** Record the code or name of an error, never its message. */
  recordError(error: unknown): void;
  end(): void;
}

export interface Tracer {
  /** Continue the trace of a `traceparent`, or begin one; null if it is not sampled. */
  startTrace(name: string, options: SpanOptions, traceparent?: string): Span | null;
}

const activeSpan = new AsyncLocalStorage<Span | undefined>();

let tracer: Tracer | null = null;

let openTraceCount = 0;

/** Trace from now on, or no longer; once for a process. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

/** Get the span to which the current work belongs; undefined where its trace is not sampled. */
export function getActiveSpan(): Span | undefined {
  if (tracer === null) return undefined;
  const span = activeSpan.getStore();
  // What goes on after the end, such as a loop that a request started, works for others.
  return span?.isEnded() ? undefined : span;
}

/** Get what a log line names of the trace. */
export function getTraceLogFields(span: Span | undefined = getActiveSpan()): Record<string, string> {
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** Continue or begin a trace without making its span active; `endTrace` ends it. */
export function startTrace(name: string, options: SpanOptions, traceparent?: string): Span | null {
  const span = tracer?.startTrace(name, options, traceparent) ?? null;
  if (span) openTraceCount += 1;
  return span;
}

/** End the span of `startTrace`, once. */
export function endTrace(span: Span): void {
  span.end();
  openTraceCount -= 1;
  // Before Node 24 a used storage slows every promise of the process down, until it is disabled.
  if (openTraceCount === 0) activeSpan.disable();
}

export function runWithSpan<Result>(span: Span | undefined, work: () => Result): Result {
  return openTraceCount === 0 ? work() : activeSpan.run(span, work);
}

/** Do work in a trace of its own, which continues that of a `traceparent`. */
export function traceWork<Result>(
  name: string,
  options: SpanOptions & { traceparent?: string | undefined },
  work: (span: Span | undefined) => Result,
): Result {
  const span = startTrace(name, options, options.traceparent);
  return span ? runAndEnd(span, work, endTrace) : work(undefined);
}

/** Make a call in a child of the active span, if there is one. */
export function traceCall<Result>(
  name: string,
  options: SpanOptions,
  call: (span: Span | undefined) => Result,
): Result {
  const span = getActiveSpan()?.startChild(name, options);
  return span ? runAndEnd(span, call) : call(undefined);
}

/** Do work for several at once: in a child of the first span, linked to the others. */
export function traceSharedWork<Result>(
  name: string,
  spans: readonly (Span | undefined)[],
  work: () => Result,
): Result {
  const [first, ...links] = spans.flatMap((span) => (span && !span.isEnded() ? [span] : []));
  const span = first?.startChild(name, { kind: 'internal', links });
  return span ? runAndEnd(span, work) : runWithSpan(undefined, work);
}

/** Have a callback run with the span that is active now: a queue calls it on behalf of whoever leaves it. */
export function bindActiveSpan<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  if (tracer === null) return callback;
  const span = getActiveSpan();
  return (...args) => runWithSpan(span, () => callback(...args));
}

function runAndEnd<Result>(
  span: Span,
  work: (span: Span) => Result,
  end: (span: Span) => void = endSpan,
): Result {
  let result: Result;
  try {
    result = activeSpan.run(span, work, span);
  } catch (error) {
    span.recordError(error);
    end(span);
    throw error;
  }
  if (!(result instanceof Promise)) {
    end(span);
    return result;
  }
  result.then(
    () => end(span),
    (error: unknown) => {
      span.recordError(error);
      end(span);
    },
  );
  return result;
}

function endSpan(span: Span): void {
  span.end();
}
