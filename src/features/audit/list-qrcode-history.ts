import type { Static } from 'typebox';
import { API_KEY_CHANGE_PREFIX, type AuditAction } from '../../audit-actions.ts';
import type { Database } from '../../platform/database.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import { listApiKeyNames } from '../identity/index.ts';
import { type AuditEntryRow, listAuditEntries } from './audit-log.repository.ts';
import type { QrCodeHistoryEntry } from './qrcode-history.schemas.ts';

type HistoryEntry = Static<typeof QrCodeHistoryEntry>;

/** Reads by the owner and by finders are left out: they change nothing, and scans have a list of their own. */
const HISTORY_ACTIONS: Partial<Record<AuditAction, HistoryEntry['action']>> = {
  QRCODE_CREATED: 'CREATED',
  QRCODE_UPDATED: 'UPDATED',
  QRCODE_PIN_SET: 'PIN_SET',
  QRCODE_PIN_REMOVED: 'PIN_REMOVED',
  QRCODE_PICTURE_ADDED: 'PICTURE_ADDED',
  QRCODE_PICTURE_UPDATED: 'PICTURE_UPDATED',
  QRCODE_PICTURE_DELETED: 'PICTURE_DELETED',
  QRCODE_PAUSED: 'PAUSED',
  QRCODE_RESUMED: 'RESUMED',
  QRCODE_REPORTED_LOST: 'LOST',
  QRCODE_REPORTED_FOUND: 'FOUND',
  QRCODE_DELETED: 'DELETED',
  QRCODE_RESTORED: 'RESTORED',
  QRCODE_TEST_LINK_CREATED: 'TEST_LINK_CREATED',
  QRCODE_TEST_LINK_USED: 'TEST_LINK_USED',
  QRCODE_TAKEN_DOWN: 'TAKEN_DOWN',
  QRCODE_APPEALED: 'APPEALED',
  QRCODE_APPEAL_REJECTED: 'APPEAL_REJECTED',
  QRCODE_REINSTATED: 'REINSTATED',
  BREAK_GLASS_QRCODE_READ: 'READ_BY_STAFF',
};

/** Always by staff, whose account may be erased meanwhile. */
const STAFF_ACTIONS: readonly string[] = ['TAKEN_DOWN', 'APPEAL_REJECTED', 'REINSTATED', 'READ_BY_STAFF'];

/** An entry of the audit trail of a code, with the names of the API keys that its page needs. */
export interface QrCodeHistoryRow extends AuditEntryRow {
  apiKeyNames: ReadonlyMap<string, string>;
}

/**
 * List what happened to a code in an account, newest first, after a position. What others did while it was theirs is left
 * out. The caller has checked whose code it is.
 */
export function listQrCodeHistory(
  database: Database,
  { id, accountId }: { id: string; accountId: string },
  range: ListRange,
): Promise<{ rows: QrCodeHistoryRow[] }> {
  const filter = {
    accountId,
    resourceTypes: ['QRCODE'],
    resourceId: id,
    actions: Object.keys(HISTORY_ACTIONS),
    outcomes: ['SUCCESS'],
  };
  return database.read(async ({ client }) => {
    const { rows } = await listAuditEntries(client, filter, range);
    const keyIds = rows.flatMap((row) => findApiKeyId(row) ?? []);
    const apiKeyNames = await listApiKeyNames(client, accountId, keyIds);
    return { rows: rows.map((row) => ({ ...row, apiKeyNames })) };
  });
}

/** Show an entry to the owner of the code: names of fields, never values, and no address. */
export function toQrCodeHistoryView(row: QrCodeHistoryRow, accountId: string): HistoryEntry {
  const action = toHistoryAction(row);
  const keyId = findApiKeyId(row);
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    action,
    changes: row.action === 'QRCODE_UPDATED' ? listChangedFields(row) : [],
    who: getActor(row, action, accountId),
    apiKey: keyId === undefined ? null : { id: keyId, name: row.apiKeyNames.get(keyId) ?? null },
  };
}

function toHistoryAction(row: AuditEntryRow): HistoryEntry['action'] {
  const action = HISTORY_ACTIONS[row.action as AuditAction] ?? 'UPDATED';
  const fields = listChangedFields(row);
  const hasOnly = (name: string) => fields.length > 0 && fields.every((field) => field === name);
  if (action === 'UPDATED' && hasOnly('visibility')) return 'VISIBILITY_CHANGED';
  return action === 'LOST' && hasOnly('lost') ? 'LOST_NOTICE_CHANGED' : action;
}

function listChangedFields({ changes }: AuditEntryRow): string[] {
  return changes.filter((change) => !change.startsWith(API_KEY_CHANGE_PREFIX));
}

function getActor(row: AuditEntryRow, action: string, accountId: string): HistoryEntry['who'] {
  if (STAFF_ACTIONS.includes(action)) return 'STAFF';
  if (row.actorId === accountId || row.accountId === accountId)
    return findApiKeyId(row) === undefined ? 'OWNER' : 'API_KEY';
  if (row.actorRole !== null && row.actorRole !== 'USER') return 'STAFF';
  return row.byRequest ? 'SOMEBODY' : 'SERVICE';
}

function findApiKeyId({ changes }: AuditEntryRow): string | undefined {
  return changes
    .find((change) => change.startsWith(API_KEY_CHANGE_PREFIX))
    ?.slice(API_KEY_CHANGE_PREFIX.length);
}
