import { addAbortSignal, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  name: string;
  compress: boolean;
  open(): Readable;
}

export function createZipTextEntry(name: string, texts: Iterable<string> | AsyncIterable<string>): ZipEntry {
  return { name, compress: true, open: () => Readable.from(texts) };
}

export function createZipStream(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  // A PassThrough, typed with less.
  const output = zip.outputStream as Readable;
  const stop = new AbortController();
  output.once('close', () => stop.abort());
  const fail = (error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error('The archive could not be created.'));
  // Errors before the stream is read would end the process without a listener.
  output.on('error', () => undefined);
  zip.on('error', fail);
  addEntries(zip, entries, stop.signal).catch(fail);
  return output;
}

async function addEntries(
  zip: ZipFile,
  entries: AsyncIterable<ZipEntry>,
  signal: AbortSignal,
): Promise<void> {
  for await (const entry of entries) {
    signal.throwIfAborted();
    await addEntry(zip, entry, signal);
  }
  zip.end();
}

/** Add a file; resolves when it was read to its end, so that only one is open. */
function addEntry(zip: ZipFile, { name, compress, open }: ZipEntry, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    zip.addReadStreamLazy(name, { compress, mode: 0o100600 }, (callback) => {
      const stream = addAbortSignal(signal, open());
      stream.once('error', reject);
      stream.once('end', () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      callback(null, stream);
    });
  });
}
