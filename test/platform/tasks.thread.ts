import { serveThreadTasks } from '../../src/platform/worker-thread.ts';

export type ThreadTask =
  | { operation: 'double'; of: number }
  | { operation: 'bytes'; many: number }
  | { operation: 'settings' }
  | { operation: 'throw' }
  | { operation: 'exit' }
  | { operation: 'hang' };

serveThreadTasks<ThreadTask, unknown>(async (task) => {
  if (task.operation === 'double') return { result: task.of * 2 };
  if (task.operation === 'bytes') {
    const bytes = new Uint8Array(task.many).fill(7);
    return { result: bytes, moved: [bytes.buffer] };
  }
  if (task.operation === 'settings') return { result: Object.keys(process.env) };
  if (task.operation === 'throw') throw new RangeError('not so');
  if (task.operation === 'exit') process.exit(3);
  for (;;);
});
