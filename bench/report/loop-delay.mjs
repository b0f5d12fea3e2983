// Loaded into the measured service (NODE_OPTIONS=--import=…): responds on LOOP_DELAY_PORT with the maximum delay of the
// event loop in milliseconds since the last request.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.LOOP_DELAY_PORT) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const answer = (_request, reply) => {
    // Run after the timer of a delayed iteration.
    setTimeout(() => {
      reply.end(String(delay.max / 1e6));
      delay.reset();
    }, 5);
  };
  createServer(answer).listen(Number(process.env.LOOP_DELAY_PORT), '127.0.0.1').unref();
}
