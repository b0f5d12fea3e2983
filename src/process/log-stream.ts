import { pino } from 'pino';

/** Bytes at which lines are written whatever the moment. */
const AT_ONCE = 8_192;

/**
 * Standard output for log lines: those of one turn of the event loop are one write, before the next turn begins, and an
 * end of the process writes what is left.
 */
export function logStream(): { write(line: string): void } {
  const output = pino.destination({ fd: 1, sync: true, minLength: AT_ONCE });
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
