// Runs one task in a thread and exits by itself.
import { createWorkerThread } from '../../src/platform/worker-thread.ts';
import type { ThreadTask } from './tasks.thread.ts';

const thread = createWorkerThread<ThreadTask, number>('./tasks.thread', import.meta.url, 60_000);
console.log(await thread.run({ operation: 'double', of: 21 }));
