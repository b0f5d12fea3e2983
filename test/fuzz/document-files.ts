import type { UploadPlan } from './uploads.ts';

/** Operations that store a file unchanged, and therefore detect its type. */
const RAW_UPLOAD_OPERATIONS = new Set(['documents.create', 'documents.addVersion']);

/** Files of an accepted type and of no other; they may be incomplete. All others must be rejected. */
const ACCEPTABLE_FILES = new Set([
  ...['pdf', 'docx', 'odt', 'text', 'jpeg', 'png', 'photo', 'webp', 'gif'],
  ...['apng', 'bomb', 'wideBomb', 'zeroSize', 'hugeHeader'],
]);

/**
 * Check whether an upload must be rejected: an undamaged program, web page, archive or polyglot file in a valid form. A
 * damaged file may be anything.
 */
export function isRefusalRequired(operation: string, { file, corruption, defect }: UploadPlan): boolean {
  return (
    RAW_UPLOAD_OPERATIONS.has(operation) &&
    defect === 'none' &&
    corruption === 'none' &&
    !ACCEPTABLE_FILES.has(file)
  );
}

/** Create files of accepted types and files that imitate them, without personal content. */
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
    const endRecord = Buffer.alloc(14);
    endRecord.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), facts, endRecord, Buffer.from(name)]));
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
