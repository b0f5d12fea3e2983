import { readFile } from 'node:fs/promises';
import { createAuditSigner } from '../../src/features/audit/audit-signer.ts';
import { verifyDatabaseAuditTrail } from '../../src/features/audit/verify-database-trail.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { readMigrations } from '../../src/platform/migration-history.ts';
import { applyMigrations } from '../../src/platform/migrations.ts';
import { runQuery, SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { createMigrationScratch } from './migration-scratch.ts';

const MIGRATION = '20261130230000_audit_accounts';

t.test('a trail that an earlier version sealed is valid, and organizations get a reference', async (t) => {
  const serverUrl = process.env.TEST_OWNER_URL ?? '';
  const { url, folder, add } = await createMigrationScratch(t, serverUrl);
  t.teardown(() => runQuery(serverUrl, `DROP DATABASE ${new URL(url).pathname.slice(1)}`));
  const migrations = await readMigrations('prisma/migrations');
  for (const { name, sql } of migrations) if (name < MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  const vectors = JSON.parse(await readFile('test/vectors/audit-trail.json', 'utf8'));
  const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`);
  const hash = (value: string | null) => (value === null ? 'NULL' : `'\\x${value}'`);
  const rows = vectors.entries.map(
    ({ entry: e }: { entry: Record<string, string | null> & { changes: string[] } }) =>
      `(${[e.id, e.action, e.severity, e.resourceType, e.resourceId].map((value) => text(value ?? null))},
        ${[e.actorReference, e.subjectReference, e.outcome, e.operation].map((value) => text(value ?? null))},
        ${hash(e.ipHash ?? null)}, ${hash(e.userAgentHash ?? null)}, '${e.requestId}',
        ARRAY[${e.changes.map(text)}]::text[], '${e.createdAt}')`,
  );
  const seals = vectors.entries.map(
    ({ sequence, entry, sealHash }: { sequence: number; entry: { id: string }; sealHash: string }) =>
      `(${sequence}, '${entry.id}', '\\x${sealHash}')`,
  );
  const { batch: b } = vectors;
  const school = '5'.padStart(24, '0');
  await runQuery(
    url,
    `INSERT INTO audit_entries (id, action, severity, resource_type, resource_id, actor_reference, subject_reference,
       outcome, operation, ip_hash, user_agent_hash, request_id, changes, created_at) VALUES ${rows};
     INSERT INTO audit_seals (sequence, entry_id, seal_hash) VALUES ${seals};
     INSERT INTO audit_seal_batches (first_sequence, last_sequence, last_hash, members, signed_at, key_id, signature)
     VALUES (${b.firstSequence}, ${b.lastSequence}, '\\x${b.lastHash}', '\\x${b.members}', '${b.signedAt}', '${b.keyId}', '\\x${b.signature}');
     DELETE FROM audit_unsealed;
     INSERT INTO accounts (id, type, name) VALUES ('${school}', 'ORGANIZATION', 'School')`,
  );
  for (const { name, sql } of migrations) if (name >= MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });

  const database = openDatabase({ url, poolSize: 2, onError: () => {} });
  t.teardown(() => database.close());
  const signer = createAuditSigner(vectors.signingKey, undefined);
  const checkpointFile = { append: async () => {}, readLines: async () => [] };
  t.match(await verifyDatabaseAuditTrail({ database, signer, checkpointFile }), {
    valid: true,
    finding: null,
    sequence: 2,
    sealHash: b.lastHash,
  });
  const [actor] = await runQuery(url, `SELECT reference FROM audit_actors WHERE user_id = '${school}'`);
  t.match(actor, { reference: /^[0-9a-f]{24}$/ });
  t.same(await runQuery(url, `SELECT audit_subject('ORGANIZATION', '${school}') AS reference`), [actor]);
});
