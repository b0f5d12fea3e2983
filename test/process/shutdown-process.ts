// Started by tests as a process of its own: closes in three phases, in the way that the argument names.
import { inspect } from 'node:util';
import { handleShutdown } from '../../src/process/shutdown.ts';

const way = process.argv[2] ?? '';
const print = (details: object, message: string) => console.log(message, inspect(details));
const shutdown = handleShutdown({ info: print, warn: print, error: print });
shutdown.signal.addEventListener('abort', () => console.log('told'));

shutdown.addPhase('first opened', 300, () => {});
shutdown.addPhase('second opened', 300, async () => {
  if (way === 'late') await new Promise(() => {});
  if (way === 'failing') throw new Error('no use');
});
shutdown.addPhase('third opened', way === 'slow' ? 5_000 : 300, async () => {
  if (way === 'slow') await new Promise(() => {});
});
setInterval(() => {}, 1_000);
console.log('up');

if (way === 'rejection') Promise.reject(new Error('nobody caught'));
if (way === 'exception')
  setImmediate(() => {
    throw new Error('nobody caught');
  });
if (way === 'inside') shutdown.begin('work is done');
if (way === 'twice at once') {
  process.kill(process.pid, 'SIGINT');
  setTimeout(() => process.kill(process.pid, 'SIGINT'), 20);
}
if (way === 'too much') shutdown.addPhase('fourth opened', 9_100, () => {});
