import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../platform/database.ts';
import { readCommandArguments } from '../shared/command-usage.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';

const USAGE = `Usage:
  npm run audit -- export <file>    exports the sealed audit trail to a new file (docs/security/audit-trail.md, Export)
Exit codes: 0 success, 1 the file cannot be created, 130 interrupted.`;

const [path = ''] = readCommandArguments(USAGE, (words) => words.length === 1 && !words[0]?.startsWith('-'));
const { runCommand } = await import('./command-context.ts');
const { exportAuditTrail } = await import('../features/audit/index.ts');
const { insertAuditEntry } = await import('../platform/audit.repository.ts');
const { generateRequestId } = await import('../platform/http/request-id.ts');

await runCommand('audit export', async ({ services, signal }) => {
  const { database, audit } = services;
  // Before the export is recorded: an export that cannot be written is not one.
  const file = await createExportFile(path);
  if (!file) return 1;
  await recordExportAuditEntry(database, 'SUCCESS');
  try {
    await pipeline(Readable.from(writeExportLines(audit)), file.createWriteStream(), { signal: signal });
  } catch (error) {
    await rm(path, { force: true });
    await recordExportAuditEntry(database, 'FAILURE');
    if (!signal.aborted) throw error;
    console.error('Interrupted.');
    return EXIT_CODES.INTERRUPTED;
  }
  console.log(`The sealed audit trail was exported to ${path}.`);
  return 0;
});

/** Create a file that only its owner can read and never replace one; null where that fails. */
async function createExportFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    console.error(
      code === 'EEXIST'
        ? `${path} already exists. Choose another name.`
        : `${path} cannot be created (${code}).`,
    );
    return null;
  }
}

async function recordExportAuditEntry({ client }: Database, outcome: 'SUCCESS' | 'FAILURE'): Promise<void> {
  const requestId = generateRequestId();
  await insertAuditEntry(client, {
    action: 'AUDIT_TRAIL_EXPORTED',
    outcome,
    operation: 'audit:export',
    requestId,
  });
}

async function* writeExportLines(audit: Parameters<typeof exportAuditTrail>[0]): AsyncGenerator<string> {
  for await (const line of exportAuditTrail(audit)) yield `${line}\n`;
}
