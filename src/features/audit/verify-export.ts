import { readPublicKeysPem } from '../../shared/crypto/signing-key.ts';
import { knownKeys } from './audit-keys.ts';
import { type CheckedTrail, checkTrail } from './check-trail.ts';
import { readCheckpointLines } from './checkpoint-line.ts';
import { type ExportLine, readExport } from './export-lines.ts';
import { findingAt } from './trail-finding.ts';
import type { Checkpoint } from './trail-format.rules.ts';
import type { TrailSource } from './trail-source.ts';

/** An exported trail as far as it is proved, and how many checkpoints from elsewhere it was held against. */
export interface CheckedExport extends CheckedTrail {
  checkpoints: number;
  unreadableLines: number;
}

/** What should hold public keys holds none. */
export class PublicKeysError extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'PublicKeysError';
  }
}

/**
 * Checks an exported trail with nothing but the file, the public keys (PEM) and, where given, lines of checkpoints kept
 * elsewhere: one of a later time than the export names what the export lacks. Throws ExportFormatError for a file that
 * is none, PublicKeysError for keys that are none, an AbortError after `signal`.
 */
export async function verifyExport(options: {
  path: string;
  publicKeys: string;
  checkpointLines?: readonly string[];
  signal?: AbortSignal | undefined;
}): Promise<CheckedExport> {
  const { path, signal } = options;
  const keys = keysOf(options.publicKeys);
  const outside = readCheckpointLines(options.checkpointLines ?? []);
  const end = await endOf(path);
  const checkpoints = [...outside.checkpoints, ...(end?.checkpoint ? [end.checkpoint] : [])];
  const checked = await checkTrail(fileSource(path, end?.checkpoint ?? null), { keys, checkpoints, signal });
  const trail = {
    ...checked,
    checkpoints: outside.checkpoints.length,
    unreadableLines: outside.unreadable,
  };
  if (trail.finding) return trail;
  const place = trail.sequence + 1;
  if (!end) return { ...trail, finding: findingAt('CUT_OFF', place, 'The file has no last line.') };
  if (!end.checkpoint && trail.sequence > 0)
    return { ...trail, finding: findingAt('SIGNATURE', place, 'The end of the file is not signed.') };
  return trail;
}

function keysOf(pem: string) {
  try {
    return knownKeys(readPublicKeysPem(pem));
  } catch (error) {
    throw new PublicKeysError(error instanceof Error ? error.message : String(error));
  }
}

async function endOf(path: string) {
  for await (const line of linesOf(path, 'end')) return line;
  return null;
}

/** The file is read once for the entries and once for the batches, side by side: it may be larger than memory. */
function fileSource(path: string, end: Checkpoint | null): TrailSource {
  return {
    async droppedRanges() {
      const ranges = [];
      for await (const { type: _, ...range } of linesOf(path, 'dropped')) ranges.push(range);
      return ranges;
    },
    batches: () => linesOf(path, 'batch'),
    sealedEntries: () => linesOf(path, 'entry'),
    async hasEntry(entryId) {
      for await (const { entry } of linesOf(path, 'entry')) if (entry?.id === entryId) return true;
      return false;
    },
    async isMember(entryId) {
      for await (const { members } of linesOf(path, 'batch'))
        for (let at = 0; at < members.length; at += 40) if (members.startsWith(entryId, at)) return true;
      return false;
    },
    state: async () => end,
  };
}

async function* linesOf<Type extends ExportLine['type']>(
  path: string,
  type: Type,
): AsyncGenerator<Extract<ExportLine, { type: Type }>> {
  for await (const line of readExport(path)) if (isOfType(line, type)) yield line;
}

function isOfType<Type extends ExportLine['type']>(
  line: ExportLine,
  type: Type,
): line is Extract<ExportLine, { type: Type }> {
  return line.type === type;
}
