import { ZipFile } from 'yazl';

/** An archive of parts by their names, each compressed but where `stored`. */
export async function createZipArchive(
  parts: Record<string, string>,
  stored: readonly string[] = [],
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts))
    zip.addBuffer(Buffer.from(content), name, { compress: !stored.includes(name) });
  zip.end();
  const pieces: Buffer[] = [];
  for await (const chunk of zip.outputStream) pieces.push(Buffer.from(chunk));
  return Buffer.concat(pieces);
}

/** An office file of a sort, with further parts. */
export function createOfficeFile(main: string, more: Record<string, string> = {}): Promise<Buffer> {
  return createZipArchive({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': '<R/>',
    [main]: '<a/>',
    ...more,
  });
}

/** An OpenDocument file, whose first part says what it is. */
export function createOpenDocument(type: string, more: Record<string, string> = {}): Promise<Buffer> {
  return createZipArchive({ mimetype: type, 'content.xml': '<a/>', ...more }, ['mimetype']);
}
