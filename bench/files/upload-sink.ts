// Upload target of bench/uploads-and-scans.ts that discards what it reads; sends its port.
import { createServer } from 'node:http';

process.on('disconnect', () => process.exit());

const server = createServer((request, reply) => {
  request.resume().on('end', () => {
    reply.writeHead(201, { 'Content-Type': 'application/json' }).end('{"id":"none"}');
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  process.send?.(address.port);
});
