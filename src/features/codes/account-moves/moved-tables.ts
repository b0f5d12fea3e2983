import type { MovableTable } from '../../../platform/move-rows.ts';

export type HistoryChoice = 'KEEP' | 'CUT';

/** What becomes of the rows of a code that goes to another account. */
export type TableMove = MovableTable & {
  becomes: /** Inserted under the new account, deleted under the old one. */
    | 'MOVED'
    /** The same where the history is kept; otherwise deleted. */
    | 'MOVED_WITH_HISTORY'
    /** Without an account of their own: they stay with the code where the history is kept; otherwise they are deleted. */
    | 'HISTORY_OF_CODE'
    /** Without an account of their own: they stay with the record that they belong to. */
    | 'UNCHANGED'
    | 'DELETED'
    /** They say what happened at the old account, or belong to a record that stays there. */
    | 'LEFT';
  /** SQL of the rows of the code whose id is `$2`. */
  rows?: string;
};

const TAGS = '(SELECT id FROM memory_tags WHERE qr_code_id = $2)';
const GALLERIES = `qr_code_id = $2 OR memory_tag_id IN ${TAGS}`;
const TAKEDOWNS = '(SELECT id FROM qr_code_takedowns WHERE qr_code_id = $2)';
const CONVERSATIONS = '(SELECT id FROM conversations WHERE qr_code_id = $2)';
const CHANGED_NOW = { updated_at: 'now()' };

/**
 * Every table whose rows belong to a code, in the order of the move. `moved-tables.test.ts` compares it with the columns and
 * foreign keys of the database, so that a new table is not forgotten.
 */
export const MOVED_TABLES: readonly TableMove[] = [
  // Records before what belongs to them: whoever adds to a record locks it first.
  { table: 'memory_tags', becomes: 'MOVED', rows: 'qr_code_id = $2', referenced: {}, changed: CHANGED_NOW },
  { table: 'guest_book_entries', becomes: 'MOVED', rows: `memory_tag_id IN ${TAGS}` },
  { table: 'memory_tag_caretakers', becomes: 'MOVED_WITH_HISTORY', rows: `memory_tag_id IN ${TAGS}` },
  // Their files are removed, and drawn again when they are requested.
  { table: 'picture_renditions', becomes: 'DELETED' },
  {
    table: 'stored_files',
    becomes: 'MOVED',
    rows: `id IN (SELECT file_id FROM pictures WHERE ${GALLERIES} UNION ALL SELECT file_id FROM deleted_pictures WHERE ${GALLERIES})`,
    referenced: { name: 'md5(source.replaced_id)' },
  },
  { table: 'pictures', becomes: 'MOVED', rows: GALLERIES },
  { table: 'deleted_pictures', becomes: 'MOVED_WITH_HISTORY', rows: GALLERIES },
  {
    table: 'qr_code_takedowns',
    becomes: 'MOVED',
    rows: 'qr_code_id = $2',
    // Of a code one takedown is not ended.
    referenced: { ended_at: 'now()' },
  },
  { table: 'qr_code_appeals', becomes: 'MOVED_WITH_HISTORY', rows: `takedown_id IN ${TAKEDOWNS}` },
  { table: 'qr_code_reports', becomes: 'MOVED_WITH_HISTORY', rows: 'qr_code_id = $2' },
  {
    table: 'conversations',
    becomes: 'MOVED_WITH_HISTORY',
    rows: 'qr_code_id = $2',
    referenced: { scan_id: 'source.replaced_id' },
    // Whoever answered them may be no member there.
    changed: { ...CHANGED_NOW, assignee_id: 'NULL' },
  },
  {
    table: 'conversation_messages',
    becomes: 'MOVED_WITH_HISTORY',
    rows: `conversation_id IN ${CONVERSATIONS}`,
  },
  {
    table: 'conversation_notes',
    becomes: 'MOVED_WITH_HISTORY',
    rows: `conversation_id IN ${CONVERSATIONS}`,
  },
  {
    table: 'conversation_reports',
    becomes: 'MOVED_WITH_HISTORY',
    rows: `conversation_id IN ${CONVERSATIONS}`,
  },
  { table: 'realtime_streams', becomes: 'UNCHANGED' },
  {
    table: 'qr_codes',
    becomes: 'MOVED',
    rows: 'id = $2',
    referenced: { image_file: 'NULL' },
    changed: { ...CHANGED_NOW, folder_id: 'NULL' },
  },
  { table: 'short_numbers', becomes: 'UNCHANGED' },
  // A batch remembers the tags that others claimed.
  { table: 'batch_tags', becomes: 'LEFT' },
  { table: 'test_links', becomes: 'DELETED' },
  { table: 'report_schedules', becomes: 'DELETED' },
  // Of the code or one of its records; `data` names the code.
  { table: 'notifications', becomes: 'DELETED' },
  // The documents stay; what the page of the code offered of them ends.
  { table: 'document_shares', becomes: 'LEFT' },
  // By the feature scans.
  { table: 'scans', becomes: 'MOVED_WITH_HISTORY' },
  { table: 'scan_locations', becomes: 'MOVED_WITH_HISTORY' },
  { table: 'scan_counts', becomes: 'HISTORY_OF_CODE' },
  { table: 'scan_visitors', becomes: 'HISTORY_OF_CODE' },
];
