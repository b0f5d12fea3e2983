import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number };
}

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: OtlpAttribute[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number; message?: string };
}

export interface TraceCollector {
  url: string;
  environment: Record<string, string>;
  requests: { url: string; headers: NodeJS.Dict<string | string[]>; body: string }[];
  /** Handles a request instead of the collector. */
  override: ((response: ServerResponse) => void) | null;
  spans(): CollectedSpan[];
  stop(): Promise<void>;
}

/** Start a receiver of OTLP/HTTP with JSON on loopback, closed after the test. */
export async function startTraceCollector(t: Test): Promise<TraceCollector> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      self.requests.push({ url: request.url ?? '', headers: request.headers, body });
      if (self.override) self.override(response);
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  t.teardown(stop);
  const self: TraceCollector = {
    url,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: '1' },
    requests: [],
    override: null,
    spans: () =>
      self.requests.flatMap(({ body }) =>
        JSON.parse(body).resourceSpans.flatMap(
          ({ scopeSpans }: { scopeSpans: { spans: CollectedSpan[] }[] }) =>
            scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    stop,
  };
  return self;
}

export function getSpanAttribute({ attributes }: CollectedSpan, key: string): string | number | undefined {
  const value = attributes.find((attribute) => attribute.key === key)?.value;
  return value?.stringValue ?? value?.intValue ?? value?.doubleValue;
}
