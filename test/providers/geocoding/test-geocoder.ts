import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** Nominatim's response for the Brandenburg Gate. */
export const BRANDENBURG_GATE = {
  place_id: 1,
  display_name: 'Brandenburger Tor, 1, Pariser Platz, Mitte, Berlin, 10117, Germany',
  address: {
    road: 'Pariser Platz',
    suburb: 'Mitte',
    city: 'Berlin',
    state: 'Berlin',
    country: 'Germany',
    country_code: 'de',
  },
};

type RequestHandler = (response: ServerResponse, request: IncomingMessage) => void;

export const respondWith =
  (body: unknown): RequestHandler =>
  (response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** Start a geocoding server on loopback; `gone` stops it. */
export async function startTestGeocoder(t: Test, does: RequestHandler = respondWith(BRANDENBURG_GATE)) {
  const requests: { url: URL; userAgent: string | undefined; at: number }[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    requests.push({ url, userAgent: request.headers['user-agent'], at: performance.now() });
    geocoder.does(response, request);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  t.teardown(() => (server.listening ? stop() : undefined));
  const geocoder = {
    does,
    requests,
    stop,
    back: () => listen(port),
    url: `http://127.0.0.1:${port}`,
    port,
  };
  return geocoder;
}
