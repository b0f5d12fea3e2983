import { ENCRYPTED_COLUMNS, type EncryptedColumn } from '../src/platform/encrypted-columns.ts';

const TABLE_BEGIN_MARKER = '<!-- encrypted-columns -->';
const TABLE_END_MARKER = '<!-- /encrypted-columns -->';

/** The encrypted columns as a Markdown table: what each value is bound to, and its version. */
export function createEncryptionTable(): string {
  const rows = ENCRYPTED_COLUMNS.map((row) => [
    ...[row.table, row.column, row.rowId].map(formatCode),
    row.owner === null ? 'nobody’s: empty' : formatCode(row.owner),
    formatVersion(row),
  ]);
  const head = ['table', 'column', 'column of the row id', 'column of the owner id', 'version'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The text with the table between the two markers. Throws an Error when they are not there. */
export function replaceEncryptionTable(text: string): string {
  const [before, rest] = text.split(TABLE_BEGIN_MARKER);
  const after = rest?.split(TABLE_END_MARKER)[1];
  if (before === undefined || after === undefined)
    throw new Error(
      `The table of encrypted columns needs the lines ${TABLE_BEGIN_MARKER} and ${TABLE_END_MARKER}.`,
    );
  return `${before}${TABLE_BEGIN_MARKER}\n\n${createEncryptionTable()}\n\n${TABLE_END_MARKER}${after}`;
}

function formatVersion({ algorithm }: EncryptedColumn): string {
  if (algorithm === 'GCM') return '3';
  const { column, value } = algorithm.cbcHmacWhere;
  return `4 where ${formatCode(column)} is ${value}, else 3`;
}

function formatCode(name: string): string {
  return `\`${name}\``;
}
