// The hostile client of bench/connections.ts, in a process of its own: keeps sockets idle, and drips heads and bodies,
// opening each again when the service closes it. Counts what it was answered.
import { connect } from 'node:net';

// Whoever asked has gone.
process.on('disconnect', () => process.exit());

export interface Hostile {
  open: number;
  opened: number;
  /** How often each status came; 0 for a connection that was closed without an answer. */
  answers: Record<number, number>;
}

const [port, idle, heads, bodies] = process.argv.slice(2).map(Number);
const seen: Hostile = { open: 0, opened: 0, answers: {} };
let ending = false;

const HEAD = 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const BODY =
  'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

for (const [count, begins, drips] of [
  [idle, '', ''],
  [heads, HEAD, 'x'],
  [bodies, BODY, ' '],
] as const) {
  for (let index = 0; index < (count ?? 0); index++) setTimeout(() => open(begins, drips), index * 2);
}
process.on('message', () => {
  ending = true;
  process.send?.(seen, () => process.exit(0));
});

function open(begins: string, drips: string): void {
  if (ending) return;
  const socket = connect(Number(port), '127.0.0.1');
  let status = 0;
  seen.opened++;
  const timer = drips === '' ? undefined : setInterval(() => socket.write(drips), 1_000);
  socket.once('connect', () => {
    seen.open++;
    if (begins !== '') socket.write(begins);
    socket.once('close', () => seen.open--);
  });
  socket.once('data', (chunk) => {
    status = Number(chunk.toString('latin1', 9, 12));
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearInterval(timer);
    seen.answers[status] = (seen.answers[status] ?? 0) + 1;
    open(begins, drips);
  });
}
