import { parsePemPublicKeys } from '../../shared/crypto/signing-key.ts';
import { indexPublicKeysById } from './audit-signer.ts';
import { parseAuditCheckpointLines } from './checkpoint-line.ts';
import { type AuditTrailExportLine, readTrailExport } from './trail-export-lines.ts';
import { createTrailFinding } from './trail-finding.ts';
import type { AuditCheckpoint } from './trail-format.rules.ts';
import type { AuditTrailSource } from './trail-source.ts';
import { type TrailVerification, verifyAuditTrailSource } from './verify-trail-source.ts';

export interface AuditTrailExportVerification extends TrailVerification {
  checkpoints: number;
  unreadableLines: number;
}

export class PublicKeysError extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'PublicKeysError';
  }
}

/**
 * Verify an exported trail with only the file, the public keys (PEM) and optional lines of external checkpoints. A
 * checkpoint newer than the export reveals what the export lacks.
 * @throws TrailExportFormatError, PublicKeysError
 * @throws AbortError after `signal`
 */
export async function verifyAuditTrailExport(options: {
  path: string;
  publicKeys: string;
  checkpointLines?: readonly string[];
  signal?: AbortSignal | undefined;
}): Promise<AuditTrailExportVerification> {
  const { path, signal } = options;
  const keys = parseKnownKeys(options.publicKeys);
  const external = parseAuditCheckpointLines(options.checkpointLines ?? []);
  const end = await findExportEnd(path);
  const checkpoints = [...external.checkpoints, ...(end?.checkpoint ? [end.checkpoint] : [])];
  const checked = await verifyAuditTrailSource(createFileTrailSource(path, end?.checkpoint ?? null), {
    keys,
    checkpoints,
    signal,
  });
  const trail = {
    ...checked,
    checkpoints: external.checkpoints.length,
    unreadableLines: external.unreadableLines,
  };
  if (trail.finding) return trail;
  const nextSequence = trail.sequence + 1;
  if (!end)
    return { ...trail, finding: createTrailFinding('CUT_OFF', nextSequence, 'The file has no last line.') };
  if (!end.checkpoint && trail.sequence > 0)
    return {
      ...trail,
      finding: createTrailFinding('SIGNATURE', nextSequence, 'The end of the file is not signed.'),
    };
  return trail;
}

function parseKnownKeys(pem: string) {
  try {
    return indexPublicKeysById(parsePemPublicKeys(pem));
  } catch (error) {
    throw new PublicKeysError(error instanceof Error ? error.message : String(error));
  }
}

async function findExportEnd(path: string) {
  for await (const line of readLinesOfType(path, 'end')) return line;
  return null;
}

/** The file is read once for entries and once for batches at the same time: it may exceed memory. */
function createFileTrailSource(path: string, end: AuditCheckpoint | null): AuditTrailSource {
  return {
    async listDroppedRanges() {
      const ranges = [];
      for await (const { type: _, ...range } of readLinesOfType(path, 'dropped')) ranges.push(range);
      return ranges;
    },
    streamBatches: () => readLinesOfType(path, 'batch'),
    streamSealedEntries: () => readLinesOfType(path, 'entry'),
    async hasEntry(entryId) {
      for await (const { entry } of readLinesOfType(path, 'entry')) if (entry?.id === entryId) return true;
      return false;
    },
    async isInBatch(entryId) {
      for await (const { members } of readLinesOfType(path, 'batch'))
        for (let at = 0; at < members.length; at += 40) if (members.startsWith(entryId, at)) return true;
      return false;
    },
    getState: async () => end,
  };
}

async function* readLinesOfType<Type extends AuditTrailExportLine['type']>(
  path: string,
  type: Type,
): AsyncGenerator<Extract<AuditTrailExportLine, { type: Type }>> {
  for await (const line of readTrailExport(path)) if (isOfType(line, type)) yield line;
}

function isOfType<Type extends AuditTrailExportLine['type']>(
  line: AuditTrailExportLine,
  type: Type,
): line is Extract<AuditTrailExportLine, { type: Type }> {
  return line.type === type;
}
