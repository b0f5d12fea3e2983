import { once } from 'node:events';
import { createServer } from 'node:net';

/** Makes sure that the service will be able to listen, before anything is made for it. Throws what listening throws. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
