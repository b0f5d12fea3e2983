// Loaded into the service that is measured (NODE_OPTIONS=--import=…): answers on LOOP_DELAY_PORT for how many milliseconds
// its event loop was held up at most since it was asked last.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.LOOP_DELAY_PORT) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const answer = (_request, reply) => {
    // After the timer of a turn that was held up until now.
    setTimeout(() => {
      reply.end(String(delay.max / 1e6));
      delay.reset();
    }, 5);
  };
  createServer(answer).listen(Number(process.env.LOOP_DELAY_PORT), '127.0.0.1').unref();
}
