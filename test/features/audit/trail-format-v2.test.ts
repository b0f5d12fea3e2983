import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportAuditTrail } from '../../../src/features/audit/export-trail.ts';
import { computeAuditSeal, GENESIS_AUDIT_SEAL_HASH } from '../../../src/features/audit/trail-format.rules.ts';
import { verifyAuditTrailExport } from '../../../src/features/audit/verify-trail-export.ts';
import { insertAuditEntry } from '../../../src/platform/audit.repository.ts';
import { startTestApp, type TestApp } from '../../helper.ts';
import { insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { createSealedTrail, runAsSchemaOwner, sealAllEntries, verifyAppTrail } from './helper.ts';
import { DISABLE_TRIGGERS_SQL } from './tamperings.ts';

async function createMixedTrail(app: TestApp) {
  const user = await app.createUser();
  const organization = await insertOrganization(app, {
    name: 'Shelter',
    members: [{ userId: user.id, role: 'EDITOR' }],
  });
  await createSealedTrail(app, [2]);
  await insertAuditEntry(app.database.client, {
    action: 'QRCODE_UPDATED',
    outcome: 'SUCCESS',
    actorId: user.id,
    accountId: organization,
    operation: 'test',
    requestId: 'for-organization',
  });
  await sealAllEntries(app);
  await createSealedTrail(app, [2]);
}

t.test('entries of both versions are verified in one chain, in the database and in an export', async (t) => {
  const app = await startTestApp(t);
  await createMixedTrail(app);
  t.match(await verifyAppTrail(app), { valid: true, finding: null });
  const lines: string[] = [];
  for await (const line of exportAuditTrail(app.services.audit)) lines.push(line);
  const entries = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'entry');
  const withAccount = entries.filter(({ entry }) => 'accountReference' in entry);
  t.match(withAccount, [{ entry: { requestId: 'for-organization', accountReference: /^[0-9a-f]{24}$/ } }]);
  t.ok(entries.length > 4);

  const [{ sequence }] = withAccount;
  const at = lines.findIndex((line) => JSON.parse(line).sequence === sequence);
  const edit = (change: (entry: { accountReference?: string }) => unknown) => {
    const line = JSON.parse(lines[at] ?? '');
    change(line.entry);
    return lines.with(at, JSON.stringify(line));
  };
  const verify = async (exported: readonly string[]) => {
    const path = join(app.dataDir, 'export.jsonl');
    await writeFile(path, `${exported.join('\n')}\n`);
    const [key] = app.services.audit.signer.publicKeys.values();
    const publicKeys = String(key?.key.export({ format: 'pem', type: 'spki' }));
    return verifyAuditTrailExport({ path, publicKeys });
  };
  t.match(await verify(lines), { finding: null, sequence: entries.length });
  const finding = { kind: 'CHANGED', sequence };
  t.match(await verify(edit((entry) => delete entry.accountReference)), { finding }, 'removed');
  t.match(
    await verify(edit((entry) => Object.assign(entry, { accountReference: '' }))),
    { finding },
    'other',
  );
  await t.rejects(
    verify(edit((entry) => Object.assign(entry, { accountReference: null }))),
    /is not a line of an exported audit trail/,
  );
});

for (const change of ['NULL', `repeat('a', 24)`])
  t.test(`an account that is changed to ${change} in the database is found`, async (t) => {
    const app = await startTestApp(t);
    await createMixedTrail(app);
    await runAsSchemaOwner(app, (client) =>
      client.query(
        `${DISABLE_TRIGGERS_SQL};
         UPDATE audit_entries SET account_reference = ${change} WHERE request_id = 'for-organization'`,
      ),
    );
    t.match(await verifyAppTrail(app), { valid: false, finding: { kind: 'CHANGED' } });
  });

// Implemented from docs/security/audit-trail.md alone.
t.test(
  'the test vectors of version 2 follow the documented format, after entries of version 1',
  async (t) => {
    const [v1, v2] = await Promise.all(
      ['audit-trail', 'audit-trail-v2'].map(async (name) =>
        JSON.parse(await readFile(`test/vectors/${name}.json`, 'utf8')),
      ),
    );
    const encode = (value: string | null | (string | null)[]): Buffer => {
      if (value === null) return Buffer.of(0);
      const body = typeof value === 'string' ? Buffer.from(value) : Buffer.concat(value.map(encode));
      const head = Buffer.alloc(5);
      head.writeUInt8(typeof value === 'string' ? 1 : 2);
      head.writeUInt32BE(typeof value === 'string' ? body.length : value.length, 1);
      return Buffer.concat([head, body]);
    };
    t.same(v2.entries.slice(0, 2), v1.entries);
    const [, before, { sequence, entry: e, canonical, sealHash }] = v2.entries;
    const bytes = Buffer.concat(
      [
        'qr-profile-service/audit-entry/v2',
        ...[String(sequence), e.id, e.action, e.severity, e.resourceType, e.resourceId, e.actorReference],
        ...[e.subjectReference, e.outcome, e.operation, e.ipHash, e.userAgentHash, e.requestId, e.changes],
        ...[e.createdAt, e.accountReference],
      ].map(encode),
    );
    t.equal(bytes.toString('hex'), canonical);
    const previous = Buffer.from(before.sealHash, 'hex');
    t.equal(createHash('sha256').update(previous).update(bytes).digest('hex'), sealHash);
    const path = 'test/vectors/audit-export-v2.jsonl';
    const result = await verifyAuditTrailExport({ path, publicKeys: v1.publicKeyPem });
    t.match(result, { finding: null, sequence: 3, sealHash });
  },
);

t.test('an entry without an account has the seal that it had before there were accounts', async (t) => {
  const { entries } = JSON.parse(await readFile('test/vectors/audit-trail.json', 'utf8'));
  let seal = GENESIS_AUDIT_SEAL_HASH;
  for (const { sequence, entry, sealHash } of entries) {
    t.equal(computeAuditSeal(seal, sequence, { ...entry, accountReference: null }), sealHash);
    t.not(computeAuditSeal(seal, sequence, { ...entry, accountReference: '' }), sealHash);
    seal = sealHash;
  }
});
