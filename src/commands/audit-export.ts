import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportTrail } from '../features/audit/export-trail.ts';
import { addAuditEntry } from '../platform/audit.repository.ts';
import { newRequestId } from '../platform/http/request-id.ts';
import { EXIT } from '../start/exit-codes.ts';
import { runCommand } from './command-context.ts';

const [path, ...rest] = process.argv.slice(2);

if (!path || rest.length > 0) {
  console.error('Usage: npm run audit:export -- <file>   writes the sealed audit trail into a new file');
  process.exitCode = EXIT.USAGE;
} else {
  await runCommand('audit:export', async ({ services, stopping }) => {
    await addAuditEntry(services.database.client, {
      action: 'AUDIT_TRAIL_EXPORTED',
      outcome: 'SUCCESS',
      operation: 'audit:export',
      requestId: newRequestId(),
    });
    // Never over a file that is there; read by nobody else.
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.from(lines(services.audit)), file, { signal: stopping });
    console.log(`The sealed audit trail is in ${path}.`);
    return 0;
  });
}

async function* lines(audit: Parameters<typeof exportTrail>[0]): AsyncGenerator<string> {
  for await (const line of exportTrail(audit)) yield `${line}\n`;
}
