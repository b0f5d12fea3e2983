import { ZipFile } from 'yazl';

/** Create an archive of parts by name, compressed unless `stored`. */
export async function createZipArchive(
  parts: Record<string, string>,
  stored: readonly string[] = [],
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts))
    zip.addBuffer(Buffer.from(content), name, { compress: !stored.includes(name) });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Create an Office file of a type with further parts. */
export function createOfficeFile(main: string, more: Record<string, string> = {}): Promise<Buffer> {
  return createZipArchive({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': '<R/>',
    [main]: '<a/>',
    ...more,
  });
}

/** Create an OpenDocument file, whose first part is its media type. */
export function createOpenDocument(type: string, more: Record<string, string> = {}): Promise<Buffer> {
  return createZipArchive({ mimetype: type, 'content.xml': '<a/>', ...more }, ['mimetype']);
}
