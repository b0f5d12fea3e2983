import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AuditCheckpointFile } from './checkpoints.port.ts';

/** Open an append-only file of lines; several processes may append at the same time. */
export function openAuditCheckpointFile(path: string): AuditCheckpointFile {
  return {
    async append(line) {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a+', 0o600);
      try {
        await file.appendFile((await endsWithNewline(file)) ? `${line}\n` : `\n${line}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async readLines() {
      return splitNonEmptyLines(await readFile(path, 'utf8').catch(returnEmptyIfMissing));
    },
  };
}

export function splitNonEmptyLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** A power loss may leave the last line incomplete. */
async function endsWithNewline(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}

function returnEmptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
