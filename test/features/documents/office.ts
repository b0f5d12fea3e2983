import { ZipFile } from 'yazl';

/** An archive of parts by their names, each compressed but where `stored`. */
export async function archive(
  parts: Record<string, string>,
  stored: readonly string[] = [],
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts))
    zip.addBuffer(Buffer.from(content), name, { compress: !stored.includes(name) });
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** An office file of a sort, with further parts. */
export function office(main: string, more: Record<string, string> = {}): Promise<Buffer> {
  return archive({ '[Content_Types].xml': '<Types/>', '_rels/.rels': '<R/>', [main]: '<a/>', ...more });
}

/** An OpenDocument file, whose first part says what it is. */
export function openDocument(type: string, more: Record<string, string> = {}): Promise<Buffer> {
  return archive({ mimetype: type, 'content.xml': '<a/>', ...more }, ['mimetype']);
}
