import { ENCRYPTED_COLUMNS, type EncryptedColumnDefinition } from '../../src/platform/encrypted-columns.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

const INTRODUCTION = `
Each value is encrypted by the application and bound to its table, its column, its row and its owner. A value that is moved to another place does not decrypt. [Encryption](../security/encryption.md) has the format of the versions.
`;

const NOTE = `
"Owner: none" means that the value belongs to nobody; it is bound to an empty owner.

\`idempotency_keys.who\` is the id of the user who sent the request. For a request without a user it is a keyed hash of the visitor as text: \`visitor:\` and base64url for a scan, 64 hexadecimal digits for a registration. It is bound as it is stored.
`;

/** Format docs/reference/encrypted-columns.md: the encrypted columns and what each value is bound to. */
export function formatEncryptedColumns(): string {
  const rows = ENCRYPTED_COLUMNS.map((row) => [
    code(row.table),
    code(row.column),
    code(row.rowId),
    row.owner === null ? 'none' : code(row.owner),
    formatVersion(row),
  ]);
  const head = ['table', 'column', 'row id', 'owner', 'version'];
  return formatDocument('Encrypted columns', INTRODUCTION, formatTable(head, rows), NOTE);
}

function formatVersion({ algorithm }: EncryptedColumnDefinition): string {
  if (algorithm === 'GCM') return '3';
  const { column, value } = algorithm.cbcHmacWhere;
  return `4 where ${code(column)} is ${value}, else 3`;
}
