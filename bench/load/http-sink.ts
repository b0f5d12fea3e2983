// Server in its own process that answers everything with 200 and reads nothing of it; sends its port as a message.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

process.on('disconnect', () => process.exit());

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
