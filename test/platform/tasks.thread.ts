import { serveThreadTasks } from '../../src/platform/worker-thread.ts';

/** What a task of the test asks for. */
export type Task =
  | { do: 'double'; of: number }
  | { do: 'bytes'; many: number }
  | { do: 'settings' }
  | { do: 'throw' }
  | { do: 'exit' }
  | { do: 'hang' };

serveThreadTasks<Task, unknown>(async (task) => {
  if (task.do === 'double') return { result: task.of * 2 };
  if (task.do === 'bytes') {
    const bytes = new Uint8Array(task.many).fill(7);
    return { result: bytes, moved: [bytes.buffer] };
  }
  if (task.do === 'settings') return { result: Object.keys(process.env) };
  if (task.do === 'throw') throw new RangeError('not so');
  if (task.do === 'exit') process.exit(3);
  for (;;);
});
