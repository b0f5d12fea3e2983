import { addAbortSignal, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file of an archive: its name, and what it holds, opened when its turn comes. */
export interface ZipEntry {
  name: string;
  compress: boolean;
  open(): Readable;
}

/** A file of an archive that is made of texts. */
export function createTextEntry(name: string, texts: Iterable<string> | AsyncIterable<string>): ZipEntry {
  return { name, compress: true, open: () => Readable.from(texts) };
}

/**
 * A zip, made while it is read: one file at a time is open. The stream fails where one of its files does. Destroy it and
 * nothing more is read.
 */
export function createZipStream(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  // A PassThrough, of which the types say less.
  const output = zip.outputStream as Readable;
  const stop = new AbortController();
  output.once('close', () => stop.abort());
  const fail = (error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error('The archive could not be made.'));
  // What fails before anybody reads, and what the zip tells of a file, would end the process with nobody listening.
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

/** Adds a file; resolves when it was read to its end, so that no two are open at once. */
function addEntry(zip: ZipFile, { name, compress, open }: ZipEntry, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // The turn of a file never comes once nobody reads.
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
