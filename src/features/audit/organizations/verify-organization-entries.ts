import { consumeAttempts } from '../../../platform/attempt-budget.repository.ts';
import type { Database } from '../../../platform/database.ts';
import type { SqlConnection } from '../../../platform/sql.ts';
import { HOUR_SECONDS } from '../../../shared/durations.ts';
import {
  type AuditCursor,
  type AuditEntryRow,
  type AuditFilter,
  listAuditEntriesAfter,
} from '../audit-log.repository.ts';
import type { AuditServices } from '../audit-services.ts';
import { findAuditBatchSignatureProblem, type PublicKeysById } from '../audit-signer.ts';
import { listDroppedAuditRanges } from '../trail.repository.ts';
import {
  type AuditBatch,
  computeAuditSeal,
  GENESIS_AUDIT_SEAL_HASH,
  parseAuditBatchMember,
  type SignedAuditStatement,
} from '../trail-format.rules.ts';
import {
  type ChainedAuditEntry,
  findBatchesOfSequences,
  findChainedAuditEntries,
} from './organization-audit.repository.ts';
import { MAX_VERIFIED_ENTRIES } from './organization-audit.schemas.ts';

const PAGE_SIZE = 500;

const MAX_VERIFICATIONS_PER_HOUR = 20;

export interface EntryFinding {
  kind: 'CHANGED' | 'INSERTED' | 'SIGNATURE';
  entryId: string;
  meaning: string;
}

export interface OrganizationTrailVerification {
  valid: boolean;
  finding: EntryFinding | null;
  verified: number;
  waiting: number;
  complete: boolean;
}

/**
 * Verify the newest entries of an organization, each by its seal, the one before and its signed batch. What is missing from
 * the chain only a verification of the whole trail finds.
 * @throws RATE_LIMITED
 */
export async function verifyOrganizationEntries(
  { database, audit }: AuditServices,
  filter: AuditFilter & { accountId: string },
): Promise<OrganizationTrailVerification> {
  const key = `audit-verifications:${filter.accountId}`;
  const limit = { key, allowed: MAX_VERIFICATIONS_PER_HOUR, windowSeconds: HOUR_SECONDS };
  await database.transaction((tx) => consumeAttempts(tx, [limit]));
  const state = { verified: 0, waiting: 0 };
  let after: AuditCursor | null = null;
  for (let read = 0; read < MAX_VERIFIED_ENTRIES; read += PAGE_SIZE) {
    const rows: AuditEntryRow[] = await listAuditEntriesAfter(database.client, filter, after, PAGE_SIZE);
    const page = await verifyPage(database, audit.signer.publicKeys, rows);
    state.verified += page.verified;
    state.waiting += page.waiting;
    if (page.finding) return { ...state, valid: false, finding: page.finding, complete: false };
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return { ...state, valid: true, finding: null, complete: true };
    after = { at: last.createdAt, id: last.id };
  }
  return { ...state, valid: true, finding: null, complete: false };
}

async function verifyPage(
  { pool }: Pick<Database, 'pool'>,
  keys: PublicKeysById,
  rows: readonly AuditEntryRow[],
): Promise<{ verified: number; waiting: number; finding: EntryFinding | null }> {
  const ids = rows.map(({ id }) => id);
  const chained = new Map((await findChainedAuditEntries(pool, ids)).map((one) => [one.entry.id, one]));
  const sequences = [...chained.values()].flatMap(({ sequence }) => sequence ?? []);
  const batches = await findBatchesOfSequences(pool, sequences);
  const problems = new Map(batches.map((batch) => [batch, findAuditBatchSignatureProblem(keys, batch)]));
  const startHash = await getStartHash(pool);
  let [verified, waiting] = [0, 0];
  for (const id of ids) {
    const one = chained.get(id);
    // Dropped by retention meanwhile.
    if (!one) continue;
    if (one.sequence === null && one.isQueued) {
      waiting += 1;
      continue;
    }
    const batch = batches.find(({ lastSequence }) => lastSequence >= (one.sequence ?? Infinity));
    const finding = findProblem(one, batch, batch ? (problems.get(batch) ?? null) : null, startHash);
    if (finding) return { verified, waiting, finding: { ...finding, entryId: id } };
    verified += 1;
  }
  return { verified, waiting, finding: null };
}

/** Find why an entry is not what was sealed. */
function findProblem(
  { entry, sequence, sealHash, previousHash }: ChainedAuditEntry,
  batch: SignedAuditStatement<AuditBatch> | undefined,
  signatureProblem: string | null,
  startHash: string,
): Omit<EntryFinding, 'entryId'> | null {
  if (sequence === null) return { kind: 'INSERTED', meaning: 'The entry has no seal.' };
  if (!batch || sequence < batch.firstSequence)
    return { kind: 'SIGNATURE', meaning: 'The signed batch of the entry is missing.' };
  if (signatureProblem !== null)
    return { kind: 'SIGNATURE', meaning: `The batch of the entry is not proved: ${signatureProblem}.` };
  const member = parseAuditBatchMember(batch, sequence);
  const hash = computeAuditSeal(previousHash ?? startHash, sequence, entry);
  const isSealed = member.entryId === entry.id && hash.startsWith(member.seal) && hash === sealHash;
  return isSealed ? null : { kind: 'CHANGED', meaning: 'The entry is not what was sealed at this place.' };
}

/** The seal before the first entry that retention has not dropped. */
async function getStartHash(connection: SqlConnection): Promise<string> {
  const ranges = await listDroppedAuditRanges(connection);
  return ranges.at(-1)?.checkpoint.sealHash ?? GENESIS_AUDIT_SEAL_HASH;
}
