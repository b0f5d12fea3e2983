import { PERSONAL_TABLES, type PersonalTable } from '../src/features/personal-data/personal-tables.rules.ts';

const INTRODUCTION = `# Personal data: what a person takes with them, and what goes when they go

<!-- Written by \`npm run docs:personal-data\` from src/features/personal-data/personal-tables.rules.ts. -->

**Export.** \`GET /api/auth/export\` answers a zip of everything that is a person's: \`data.json\` (the schema \`ExportedData\` of the interface), \`README.txt\`, \`pictures/\` and \`qrcodes/\`. With more than 200 codes, 5,000 other rows or 8 MiB of texts and pictures, and while another archive of the person or two of the process are being sent, it answers 202 and a job makes the archive; \`POST /api/auth/exports\` asks for that in any case. The file lies in \`<DATA_DIR>/exports\`, which several instances share, encrypted to a key that is kept encrypted in its row, and goes after seven days. With an age key of the person's own (\`?recipient=age1…\` of the GET, the field \`ageRecipient\` in the body of the POST) the archive is an age file that only they can open. In enterprise mode there must be one: an archive without it that was asked for before is neither made nor handed out. The POST answers 201 with the export (\`Location\` is where to ask for its \`status\`); once that is READY, \`contentUrl\` is where to fetch it and \`size\` how many bytes that answers.

**Erasure.** \`DELETE /api/auth/account\` erases an account. From its answer on nobody logs in, no code shows anything, and the address is free for a new account. Of each kind of row the first thousand go in the same transaction; a job does the rest, and the files. It can be killed and goes on. Mails in the recipient's mailbox are the recipient's.

**Who may.** Everything that hands out or ends all of it needs a fresh proof: \`POST /api/auth/exports\` and \`DELETE /api/auth/account\` the current password (\`password\` in the body), the two that answer an archive, and accounts without a password, a log-in of the last 15 minutes (else 403 FRESH_LOGIN_REQUIRED; refreshing a token is no log-in). The last administrator cannot erase themselves (409 LAST_ADMINISTRATOR).

**Nothing comes back to life.** Requests that an erasure overtakes end with 401 or 404: the database itself refuses sessions, codes and the like for an erased account, and lets no erased account have another status again.
`;

/** docs/personal-data.md: what export and erasure do, and with which table. */
export function createPersonalDataDocument(): string {
  const rows = PERSONAL_TABLES.map(
    (row) => `| \`${row.table}\` | ${formatExportedColumns(row)} | ${row.erased} | ${row.how} |`,
  );
  const table = ['| table | in the archive | erased | how |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
  const columns = PERSONAL_TABLES.flatMap(({ table: name, columns: of }) =>
    of ? [`- \`${name}\` keeps ${formatList(of.kept)}; loses ${formatList(of.emptied)}.`] : [],
  ).join('\n');
  return `${INTRODUCTION}\n## Table by table\n\n${table}\n\nOf rows that are emptied, column by column:\n\n${columns}\n`;
}

function formatExportedColumns({ exported }: PersonalTable): string {
  return 'in' in exported ? `\`${exported.in}\`` : `no: ${exported.not}`;
}

function formatList(columns: readonly string[]): string {
  return columns.map((name) => `\`${name}\``).join(', ');
}
