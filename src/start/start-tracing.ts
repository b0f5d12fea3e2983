import { dependencyUp } from '../platform/monitoring/metrics.ts';
import type { TracingSettings } from '../platform/tracing/opentelemetry.ts';
import type { ProcessLog } from '../shared/process-log.ts';
import { setTracer } from '../shared/tracing.ts';
import { SERVICE_VERSION } from '../shared/version.ts';
import { withinTime } from '../shared/within-time.ts';

/** Time to send the last spans at the end of the process. */
export const TRACING_STOP_TIMEOUT_MS = 1_000;

/** For tests. */
export interface TracingTiming {
  exportTimeoutMs?: number;
  exportDelayMs?: number;
  stopTimeoutMs?: number;
}

/** Start tracing, if it is configured; the libraries are loaded only then. Returns how to end it. */
export async function startTracing(
  settings: TracingSettings | null,
  log: ProcessLog,
  { stopTimeoutMs = TRACING_STOP_TIMEOUT_MS, ...timing }: TracingTiming = {},
): Promise<{ stop(): Promise<void> }> {
  if (!settings) return { stop: async () => {} };
  const { createOpenTelemetryTracer } = await import('../platform/tracing/opentelemetry.ts');
  let isUp: boolean | undefined;
  const tracer = createOpenTelemetryTracer({
    ...settings,
    ...timing,
    serviceVersion: SERVICE_VERSION,
    onExport(failureCode) {
      const previous = isUp;
      isUp = failureCode === null;
      dependencyUp.set({ dependency: 'trace collector' }, Number(isUp));
      if (!isUp && previous !== false)
        log.warn({ reason: failureCode }, 'traces: the collector is unavailable');
      if (isUp && previous === false) log.info({}, 'traces: the collector is available again');
    },
  });
  setTracer(tracer);
  // Some collectors have a token in their path.
  log.info(
    { server: new URL(settings.endpoint).origin, ratio: settings.ratio },
    'traces: sent to a collector',
  );
  return {
    async stop() {
      setTracer(null);
      await withinTime(stopTimeoutMs, () => tracer.flush()).catch(() =>
        log.warn({}, 'traces: the last ones were not sent in time'),
      );
    },
  };
}
