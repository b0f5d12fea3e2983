import { open } from 'node:fs/promises';
import { toCheckpoint } from './checkpoint-line.ts';
import { EXPORT_FORMAT } from './export-trail.ts';
import { type Fields, hasOnly, isPlace, isText, parseFields } from './json-fields.ts';
import type { Batch, Checkpoint, Signed, TrailEntry } from './trail-format.rules.ts';
import type { DroppedRange, SealedEntry } from './trail-source.ts';

/** A line of an exported trail. */
export type ExportLine =
  | { type: 'header' }
  | ({ type: 'dropped' } & DroppedRange)
  | ({ type: 'entry' } & SealedEntry)
  | ({ type: 'batch' } & Signed<Batch>)
  | { type: 'end'; checkpoint: Signed<Checkpoint> | null };

/** A file is no exported trail, or one of its lines is none of one. */
export class ExportFormatError extends Error {
  constructor(line: number, why: string) {
    super(`Line ${line} ${why}.`);
    this.name = 'ExportFormatError';
  }
}

const TEXTS = ['id', 'action', 'severity', 'resourceType', 'outcome', 'operation', 'requestId', 'createdAt'];
const TEXTS_OR_NULL = ['resourceId', 'actorReference', 'subjectReference', 'ipHash', 'userAgentHash'];
const BATCH = 'firstSequence lastSequence lastHash members signedAt keyId signature'.split(' ');

/** The lines of an exported trail, in order. Throws ExportFormatError at the first that is none. */
export async function* readExport(path: string): AsyncGenerator<ExportLine> {
  const file = await open(path);
  try {
    let number = 0;
    let ended = false;
    for await (const text of file.readLines({ encoding: 'utf8', autoClose: false })) {
      number += 1;
      if (ended) throw new ExportFormatError(number, 'is after the end');
      const line = toLine(number, text);
      ended = line.type === 'end';
      if ((number === 1) !== (line.type === 'header'))
        throw new ExportFormatError(number, 'is not where a header belongs');
      yield line;
    }
  } finally {
    await file.close();
  }
}

function toLine(number: number, text: string): ExportLine {
  const fields = parseFields(text);
  const line = fields && READERS[String(fields.type)]?.(fields);
  if (!line) throw new ExportFormatError(number, 'is no line of an exported audit trail');
  return line;
}

/** Each answers null where the fields are not those of its kind of line. */
const READERS: Record<string, (fields: Fields) => ExportLine | null> = {
  header(fields) {
    if (!hasOnly(fields, ['type', 'format', 'exportedAt', 'publicKeys'])) return null;
    return fields.format === EXPORT_FORMAT ? { type: 'header' } : null;
  },
  dropped(fields) {
    const { firstSequence, lastSequence, checkpoint } = fields;
    if (!hasOnly(fields, ['type', 'firstSequence', 'lastSequence', 'checkpoint'])) return null;
    const signed = toSignedEnd(checkpoint);
    if (!signed || !isPlace(firstSequence) || !isPlace(lastSequence)) return null;
    return { type: 'dropped', firstSequence, lastSequence, checkpoint: signed };
  },
  entry(fields) {
    const { sequence, entryId, sealHash, entry } = fields;
    if (!hasOnly(fields, ['type', 'sequence', 'entryId', 'sealHash', 'entry'])) return null;
    if (!isPlace(sequence) || !isText(entryId) || !isText(sealHash)) return null;
    if (entry === null) return { type: 'entry', sequence, entryId, sealHash, entry };
    return isEntry(entry) && entry.id === entryId
      ? { type: 'entry', sequence, entryId, sealHash, entry }
      : null;
  },
  batch(fields) {
    const { firstSequence, lastSequence, lastHash, members, signedAt, keyId, signature } = fields;
    if (!hasOnly(fields, ['type', ...BATCH])) return null;
    if (!isPlace(firstSequence) || !isPlace(lastSequence) || !isText(lastHash) || !isText(members))
      return null;
    if (!isText(signedAt) || !isText(keyId) || !isText(signature)) return null;
    return { type: 'batch', firstSequence, lastSequence, lastHash, members, signedAt, keyId, signature };
  },
  end(fields) {
    if (!hasOnly(fields, ['type', 'checkpoint'])) return null;
    return { type: 'end', checkpoint: toSignedEnd(fields.checkpoint) };
  },
};

/** A checkpoint in an export has its fields and no others. */
function toSignedEnd(value: unknown): Signed<Checkpoint> | null {
  const checkpoint = toCheckpoint(value);
  return checkpoint && hasOnly(value as Fields, Object.keys(checkpoint)) ? checkpoint : null;
}

function isEntry(value: unknown): value is TrailEntry {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Fields;
  const isListOfTexts = Array.isArray(fields.changes) && fields.changes.every(isTextOrNull);
  return (
    isListOfTexts &&
    hasOnly(fields, ['changes', ...TEXTS, ...TEXTS_OR_NULL]) &&
    TEXTS.every((name) => isText(fields[name])) &&
    TEXTS_OR_NULL.every((name) => isTextOrNull(fields[name]))
  );
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
