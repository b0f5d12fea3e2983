import { ENCRYPTED_COLUMNS, type EncryptedColumn } from '../src/platform/encrypted-columns.ts';

const BEGIN = '<!-- encrypted-columns -->';
const END = '<!-- /encrypted-columns -->';

/** The encrypted columns as a Markdown table: what each value is bound to, and its version. */
export function encryptionTable(): string {
  const rows = ENCRYPTED_COLUMNS.map((row) => [
    ...[row.table, row.column, row.rowId].map(code),
    row.owner === null ? 'nobody’s: empty' : code(row.owner),
    versionOf(row),
  ]);
  const head = ['table', 'column', 'column of the row id', 'column of the owner id', 'version'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The text with the table between the two markers. Throws an Error when they are not there. */
export function withEncryptionTable(text: string): string {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`The table of encrypted columns needs the lines ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n\n${encryptionTable()}\n\n${END}${after}`;
}

function versionOf({ algorithm }: EncryptedColumn): string {
  if (algorithm === 'GCM') return '3';
  const { column, value } = algorithm.cbcHmacWhere;
  return `4 where ${code(column)} is ${value}, else 3`;
}

function code(name: string): string {
  return `\`${name}\``;
}
