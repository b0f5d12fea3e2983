import type { UploadPlan } from './uploads.ts';

/** Operations that keep a file as it is sent, and so must know what it is. */
const RAW_UPLOAD_OPERATIONS = new Set(['documents.create', 'documents.addVersion']);

/** Files that are of one type that people keep, if not always whole, and nothing else. All others must be refused. */
const ACCEPTABLE_FILES = new Set([
  ...['pdf', 'docx', 'odt', 'text', 'jpeg', 'png', 'photo', 'webp', 'gif'],
  ...['apng', 'bomb', 'wideBomb', 'zeroSize', 'hugeHeader'],
]);

/**
 * Whether an upload must be refused: a file that is a program, a page, an archive, or two things at once, sent as it is in
 * a proper form. What was damaged on the way may be anything.
 */
export function isRefusalRequired(operation: string, { file, damage, defect }: UploadPlan): boolean {
  return (
    RAW_UPLOAD_OPERATIONS.has(operation) &&
    defect === 'none' &&
    damage === 'none' &&
    !ACCEPTABLE_FILES.has(file)
  );
}

/** Files that people keep, and what hides among them; of nobody and without content. */
export function createDocumentFiles(): Record<string, Buffer> {
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
  const word = { '[Content_Types].xml': '<Types/>', 'word/document.xml': '<document/>' };
  const docx = createStoredZip(word);
  return {
    pdf,
    docx,
    odt: createStoredZip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': '<content/>',
    }),
    docm: createStoredZip({ ...word, 'word/vbaProject.bin': 'macros' }),
    zip: createStoredZip({ 'a.txt': 'a' }),
    zipUpwards: createStoredZip({ ...word, '../../etc/passwd': 'x' }),
    zipTwoDirectories: Buffer.concat([docx, createStoredZip({ 'evil.exe': 'MZ' })]),
    pdfAndZip: Buffer.concat([pdf, createStoredZip({ 'a.txt': 'a' })]),
    pdfLate: Buffer.concat([Buffer.alloc(900, 0x20), pdf]),
    exe: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500), Buffer.from('PE\0\0')]),
    elf: Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(200)]),
    oldOffice: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    rtf: Buffer.from('{\\rtf1\\ansi Hello}'),
    shell: Buffer.from('#!/bin/sh\nrm -rf /\n'),
    xml: Buffer.from('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    text: Buffer.from('A lease, signed by both.\n'),
    textAndNull: Buffer.from('A lease\0 signed.\n'),
    textOfBadBytes: Buffer.from('A lease \xff\xfe\n', 'latin1'),
    pageInText: Buffer.from('Hello\n<script>alert(1)</script>\n'),
  };
}

/** A ZIP archive of texts, stored without compression. */
function createStoredZip(texts: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(texts)) {
    const bytes = Buffer.from(text);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(bytes.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), bytes]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), facts, more, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
