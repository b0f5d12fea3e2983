export interface CommandProgress {
  step(done: number, total: number): void;
  end(): void;
}

const LINE_INTERVAL_MS = 5_000;
const BAR_WIDTH = 30;

export function createCommandProgress(stream: NodeJS.WriteStream, name: string): CommandProgress {
  const startedAt = Date.now();
  let lastOutputAt = startedAt;
  let hasOutput = false;
  return {
    step(done, total) {
      const now = Date.now();
      if (now - lastOutputAt < (stream.isTTY ? 100 : LINE_INTERVAL_MS) && done < total) return;
      lastOutputAt = now;
      hasOutput = true;
      const share = total === 0 ? 1 : done / total;
      const left = share > 0 ? Math.round(((now - startedAt) / share - (now - startedAt)) / 1000) : 0;
      const text = `${name}: ${done} of ${total} (${Math.floor(share * 100)} %), ${left} s left`;
      const bar = '█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
      stream.write(stream.isTTY ? `\r${bar} ${text}\u001b[K` : `${text}\n`);
    },
    end() {
      if (hasOutput && stream.isTTY) stream.write('\n');
    },
  };
}
