import { open } from 'node:fs/promises';
import { parseSignedAuditCheckpoint } from './checkpoint-line.ts';
import { AUDIT_TRAIL_EXPORT_FORMAT } from './export-trail.ts';
import {
  hasOnlyKeys,
  isNonNegativeInteger,
  isString,
  type JsonObject,
  parseJsonObject,
} from './json-object.ts';
import type {
  AuditBatch,
  AuditCheckpoint,
  AuditTrailEntry,
  SignedAuditStatement,
} from './trail-format.rules.ts';
import type { DroppedAuditRange, SealedAuditEntry } from './trail-source.ts';

export type AuditTrailExportLine =
  | { type: 'header' }
  | ({ type: 'dropped' } & DroppedAuditRange)
  | ({ type: 'entry' } & SealedAuditEntry)
  | ({ type: 'batch' } & SignedAuditStatement<AuditBatch>)
  | { type: 'end'; checkpoint: SignedAuditStatement<AuditCheckpoint> | null };

export class TrailExportFormatError extends Error {
  constructor(line: number, why: string) {
    super(`Line ${line} ${why}.`);
    this.name = 'TrailExportFormatError';
  }
}

const ENTRY_STRING_FIELDS = [
  'id',
  'action',
  'severity',
  'resourceType',
  'outcome',
  'operation',
  'requestId',
  'createdAt',
];
const ENTRY_NULLABLE_STRING_FIELDS = [
  'resourceId',
  'actorReference',
  'subjectReference',
  'ipHash',
  'userAgentHash',
];
const BATCH_FIELDS = 'firstSequence lastSequence lastHash members signedAt keyId signature'.split(' ');

/** Read the lines of an exported trail in order. @throws TrailExportFormatError at the first invalid line */
export async function* readTrailExport(path: string): AsyncGenerator<AuditTrailExportLine> {
  const file = await open(path);
  try {
    let number = 0;
    let ended = false;
    for await (const text of file.readLines({ encoding: 'utf8', autoClose: false })) {
      number += 1;
      if (ended) throw new TrailExportFormatError(number, 'follows the end');
      const line = parseExportLine(number, text);
      ended = line.type === 'end';
      if ((number === 1) !== (line.type === 'header'))
        throw new TrailExportFormatError(number, 'has a header in the wrong place');
      yield line;
    }
  } finally {
    await file.close();
  }
}

function parseExportLine(number: number, text: string): AuditTrailExportLine {
  const fields = parseJsonObject(text);
  const line = fields && LINE_PARSERS[String(fields.type)]?.(fields);
  if (!line) throw new TrailExportFormatError(number, 'is not a line of an exported audit trail');
  return line;
}

const LINE_PARSERS: Record<string, (fields: JsonObject) => AuditTrailExportLine | null> = {
  header(fields) {
    if (!hasOnlyKeys(fields, ['type', 'format', 'exportedAt', 'publicKeys'])) return null;
    return fields.format === AUDIT_TRAIL_EXPORT_FORMAT ? { type: 'header' } : null;
  },
  dropped(fields) {
    const { firstSequence, lastSequence, checkpoint } = fields;
    if (!hasOnlyKeys(fields, ['type', 'firstSequence', 'lastSequence', 'checkpoint'])) return null;
    const signed = parseExportCheckpoint(checkpoint);
    if (!signed || !isNonNegativeInteger(firstSequence) || !isNonNegativeInteger(lastSequence)) return null;
    return { type: 'dropped', firstSequence, lastSequence, checkpoint: signed };
  },
  entry(fields) {
    const { sequence, entryId, sealHash, entry } = fields;
    if (!hasOnlyKeys(fields, ['type', 'sequence', 'entryId', 'sealHash', 'entry'])) return null;
    if (!isNonNegativeInteger(sequence) || !isString(entryId) || !isString(sealHash)) return null;
    if (entry === null) return { type: 'entry', sequence, entryId, sealHash, entry };
    return isTrailEntry(entry) && entry.id === entryId
      ? { type: 'entry', sequence, entryId, sealHash, entry }
      : null;
  },
  batch(fields) {
    const { firstSequence, lastSequence, lastHash, members, signedAt, keyId, signature } = fields;
    if (!hasOnlyKeys(fields, ['type', ...BATCH_FIELDS])) return null;
    if (
      !isNonNegativeInteger(firstSequence) ||
      !isNonNegativeInteger(lastSequence) ||
      !isString(lastHash) ||
      !isString(members)
    )
      return null;
    if (!isString(signedAt) || !isString(keyId) || !isString(signature)) return null;
    return { type: 'batch', firstSequence, lastSequence, lastHash, members, signedAt, keyId, signature };
  },
  end(fields) {
    if (!hasOnlyKeys(fields, ['type', 'checkpoint'])) return null;
    return { type: 'end', checkpoint: parseExportCheckpoint(fields.checkpoint) };
  },
};

/** Requires the exact fields of a checkpoint. */
function parseExportCheckpoint(value: unknown): SignedAuditStatement<AuditCheckpoint> | null {
  const checkpoint = parseSignedAuditCheckpoint(value);
  return checkpoint && hasOnlyKeys(value as JsonObject, Object.keys(checkpoint)) ? checkpoint : null;
}

function isTrailEntry(value: unknown): value is AuditTrailEntry {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as JsonObject;
  const { accountReference } = fields;
  const isListOfTexts = Array.isArray(fields.changes) && fields.changes.every(isStringOrNull);
  return (
    isListOfTexts &&
    (accountReference === undefined || isString(accountReference)) &&
    hasOnlyKeys(fields, [
      'changes',
      'accountReference',
      ...ENTRY_STRING_FIELDS,
      ...ENTRY_NULLABLE_STRING_FIELDS,
    ]) &&
    ENTRY_STRING_FIELDS.every((name) => isString(fields[name])) &&
    ENTRY_NULLABLE_STRING_FIELDS.every((name) => isStringOrNull(fields[name]))
  );
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
