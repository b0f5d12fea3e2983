import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { createSelfSignedCertificate } from '../../providers/push/certificate.ts';

// The receivers have certificates of their own.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';

export interface ReceivedEvent {
  type: string;
  data: { id: string; challenge?: string };
}

/** A server whose name is public for the service; `respond` gives the body. */
export async function startPublicReceiver(t: Test, respond: (event: ReceivedEvent, raw: string) => string) {
  const received: ReceivedEvent[] = [];
  const server = createServer(createSelfSignedCertificate('receiver'), async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const event = JSON.parse(body) as ReceivedEvent;
    received.push(event);
    response.end(respond(event, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { received, createUrl: (host = 'hooks.example.com') => `https://${host}:${port}/hook` };
}
