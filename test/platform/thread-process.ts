// Has one task done by a thread, and ends by itself.
import { createWorkerThread } from '../../src/platform/worker-thread.ts';
import type { Task } from './tasks.thread.ts';

const thread = createWorkerThread<Task, number>('./tasks.thread', import.meta.url, 60_000);
console.log(await thread.run({ do: 'double', of: 21 }));
