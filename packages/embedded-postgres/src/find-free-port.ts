import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ephemeral ports of outgoing connections, so that a chosen port stays free.
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;

export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred;
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if (await isPortFree(port)) return port;
  }
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
