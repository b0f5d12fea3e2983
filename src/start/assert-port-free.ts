import { once } from 'node:events';
import { createServer } from 'node:net';

export async function assertPortFree(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
