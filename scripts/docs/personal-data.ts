import { TABLE_PRIVACY_DEFINITIONS } from '../../src/features/index.ts';
import { ExportedData } from '../../src/features/personal-data/personal-data.schemas.ts';
import type { TablePrivacyDefinition } from '../../src/platform/personal-data.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

const INTRODUCTION = `
What the export and the erasure of an account do with each table.

## Export

| what | how |
| --- | --- |
| download an archive at once | \`GET /api/auth/export\` answers a zip |
| let a job make the archive | \`POST /api/auth/exports\` answers 201; poll the address in \`Location\` until \`status\` is \`READY\`, then fetch \`contentUrl\` |
| encrypt the archive to an age key of the user | \`?ageRecipient=age1…\` of the GET, \`ageRecipient\` in the body of the POST |

- The archive has \`data.json\`, its JSON Schema \`data.schema.json\`, \`README.txt\`, and the files in folders. [Fields of the data](#fields-of-the-data) lists what is in \`data.json\`.
- The GET answers 202 and a job makes the archive in these cases: the account has more than 200 codes, 5,000 other rows or 8 MiB of texts and pictures; another archive of the user is being sent; two archives are being sent by the process.
- The archive of a job is a private file: encrypted, in the bucket or in \`<DATA_DIR>/files\`. It is deleted after seven days, or with the account.
- An archive whose file is missing becomes \`FAILED\` at its download, which answers 410 \`EXPORT_FAILED\`. Request a new one.
- In enterprise mode an age key is required.

## Erasure

- \`DELETE /api/auth/account\` erases the account. From its answer on nobody can log in, no code shows content, and the address can be registered again.
- The first thousand rows of each table are removed in the same transaction. A job removes the rest and the files. It continues after a restart.
- Mails that were delivered stay in the mailbox of their recipient.
- A request that is overtaken by an erasure ends with 401 or 404. The database refuses new sessions, codes and other rows of an erased account.

## Proof of identity

| operation | required |
| --- | --- |
| \`POST /api/auth/exports\`, \`DELETE /api/auth/account\` | the current \`password\` in the body |
| the same, for an account without a password | a login within the last ten minutes |
| the two operations that answer an archive | a login within the last ten minutes |

Otherwise the answer is 403 \`REAUTHENTICATION_REQUIRED\`. Refreshing a token does not count as a login. The last administrator cannot erase the account (409 \`LAST_ADMINISTRATOR\`).
`;

const LEGEND = `
| erased | meaning |
| --- | --- |
| \`DELETED\` | The rows are deleted. |
| \`EMPTIED\` | The rows stay without personal data. |
| \`KEPT\` | The rows stay. The reason is in the last column. |
| \`NOT_PERSONAL\` | The table has no personal data. |
`;

/** Format docs/reference/personal-data.md: what export and erasure do with each table. */
export function formatPersonalData(): string {
  const tables = Object.entries(TABLE_PRIVACY_DEFINITIONS);
  const rows = tables.map(([table, row]) => [code(table), formatExported(row), row.erased, row.how]);
  const columns = tables.flatMap(([table, { columns: changed }]) =>
    changed ? [[code(table), formatNames(changed.retained), formatNames(changed.emptied)]] : [],
  );
  return formatDocument(
    'Personal data',
    INTRODUCTION,
    '## Tables',
    LEGEND,
    formatTable(['table', 'in the archive', 'erased', 'how'], rows),
    '## Columns of emptied rows',
    formatTable(['table', 'kept', 'emptied'], columns),
    '## Fields of the data',
    '`data.schema.json` in the archive has their types. A list has an entry for each record.',
    formatTable(
      ['field', 'of each entry, or of the object'],
      Object.entries(ExportedData.properties).flatMap(formatField),
    ),
  );
}

function formatField([name, schema]: [string, object]): string[][] {
  const properties: unknown = Reflect.get(Reflect.get(schema, 'items') ?? schema, 'properties');
  return properties ? [[code(name), formatNames(Object.keys(properties))]] : [];
}

function formatExported({ exported }: TablePrivacyDefinition): string {
  return 'in' in exported ? code(exported.in) : `no: ${exported.not}`;
}

function formatNames(names: readonly string[]): string {
  return names.map(code).join(', ');
}
