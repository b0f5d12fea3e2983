// Run by tests as a process: closes in three phases, as its argument says.
import { inspect } from 'node:util';
import { registerShutdownHandlers } from '../../src/process/shutdown.ts';

const shutdownMode = process.argv[2] ?? '';
const printLine = (details: object, message: string) => console.log(message, inspect(details));
const shutdown = registerShutdownHandlers(
  { info: printLine, warn: printLine, error: printLine },
  shutdownMode === 'delayed' ? 2_000 : 0,
);
shutdown.signal.addEventListener('abort', () => {
  console.log('told');
  if (shutdownMode === 'delayed') setTimeout(() => console.log('a request is served'), 20);
});

shutdown.addPhase('first opened', 300, () => {});
shutdown.addPhase('second opened', 300, async () => {
  if (shutdownMode === 'late') await new Promise(() => {});
  if (shutdownMode === 'failing') throw new Error('no use');
});
shutdown.addPhase('third opened', shutdownMode === 'slow' ? 5_000 : 300, async () => {
  if (shutdownMode === 'slow') await new Promise(() => {});
});
setInterval(() => {}, 1_000);
console.log('up');

if (shutdownMode === 'rejection') Promise.reject(new Error('nobody caught'));
if (shutdownMode === 'exception')
  setImmediate(() => {
    throw new Error('nobody caught');
  });
if (shutdownMode === 'inside') shutdown.startShutdown('work is done');
if (shutdownMode === 'twice at once') {
  process.kill(process.pid, 'SIGINT');
  setTimeout(() => process.kill(process.pid, 'SIGINT'), 20);
}
if (shutdownMode === 'too much') shutdown.addPhase('fourth opened', 9_100, () => {});
