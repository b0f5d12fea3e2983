import { pino } from 'pino';

const FLUSH_THRESHOLD_BYTES = 8_192;

/** Create the log stream on standard output: one write per turn of the event loop. */
export function createLogStream(): { write(line: string): void } {
  const output = pino.destination({ fd: 1, sync: true, minLength: FLUSH_THRESHOLD_BYTES });
  let isWaiting = false;
  const flush = () => {
    isWaiting = false;
    output.flush();
  };
  process.on('exit', flush);
  return {
    write(line) {
      output.write(line);
      if (isWaiting) return;
      isWaiting = true;
      setImmediate(flush);
    },
  };
}
