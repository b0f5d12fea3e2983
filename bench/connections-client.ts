// Hostile client of bench/connections.ts: idle sockets, slow headers and bodies, reconnects; counts the responses.
import { connect } from 'node:net';

process.on('disconnect', () => process.exit());

export interface HostileClientResult {
  open: number;
  opened: number;
  /** Responses by status; 0 is a connection closed without a response. */
  responses: Record<number, number>;
}

const [port, idle, heads, bodies] = process.argv.slice(2).map(Number);
const result: HostileClientResult = { open: 0, opened: 0, responses: {} };
let isEnding = false;

const PARTIAL_HEAD = 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const PARTIAL_BODY_REQUEST =
  'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

for (const [count, begins, drips] of [
  [idle, '', ''],
  [heads, PARTIAL_HEAD, 'x'],
  [bodies, PARTIAL_BODY_REQUEST, ' '],
] as const) {
  for (let index = 0; index < (count ?? 0); index++)
    setTimeout(() => openSlowConnection(begins, drips), index * 2);
}
process.on('message', () => {
  isEnding = true;
  process.send?.(result, () => process.exit(0));
});

function openSlowConnection(begins: string, drips: string): void {
  if (isEnding) return;
  const socket = connect(Number(port), '127.0.0.1');
  let status = 0;
  result.opened++;
  const timer = drips === '' ? undefined : setInterval(() => socket.write(drips), 1_000);
  socket.once('connect', () => {
    result.open++;
    if (begins !== '') socket.write(begins);
    socket.once('close', () => result.open--);
  });
  socket.once('data', (chunk) => {
    status = Number(chunk.toString('latin1', 9, 12));
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearInterval(timer);
    result.responses[status] = (result.responses[status] ?? 0) + 1;
    openSlowConnection(begins, drips);
  });
}
