import { pino } from 'pino';

/** Bytes at which lines are written whatever the moment. */
const FLUSH_THRESHOLD_BYTES = 8_192;

/**
 * Standard output for log lines: those of one turn of the event loop are one write, before the next turn begins, and an
 * end of the process writes what is left.
 */
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
