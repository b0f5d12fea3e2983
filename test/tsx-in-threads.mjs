// Threads of the service that is tested run from their source too: Node 20 does not hand the loader of a process on to them.
import { isMainThread } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

if (!isMainThread) register();
