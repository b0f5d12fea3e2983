import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportAuditTrail } from '../../../src/features/audit/export-trail.ts';
import { createAuditRetentionJob } from '../../../src/features/audit/retention.job.ts';
import { verifyAuditTrailExport } from '../../../src/features/audit/verify-trail-export.ts';
import { startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createSealedTrail, insertTestEntries, runAsSchemaOwner, sealAllEntries } from './helper.ts';

async function exported(app: TestApp): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportAuditTrail(app.services.audit)) lines.push(line);
  return lines;
}

function pem({ services }: TestApp): string {
  const [key] = services.audit.signer.publicKeys.values();
  return String(key?.key.export({ format: 'pem', type: 'spki' }));
}

async function checked(app: TestApp, lines: readonly string[], checkpointLines?: readonly string[]) {
  const path = join(app.dataDir, 'export.jsonl');
  await writeFile(path, `${lines.join('\n')}\n`);
  return verifyAuditTrailExport({
    path,
    publicKeys: `some text\n${pem(app)}`,
    ...(checkpointLines && { checkpointLines }),
  });
}

t.test(
  'the public key alone verifies an export, which has all sealed entries and no personal data',
  async (t) => {
    const app = await startTestApp(t);
    const { email, id } = await app.createUser();
    await sealAllEntries(app);
    await createSealedTrail(app, [30, 3]);
    await insertTestEntries(app, 2);
    const lines = await exported(app);
    const result = await checked(app, lines);
    t.match(result, { finding: null, droppedThrough: 0, batches: 3 });
    t.equal(lines.filter((line) => JSON.parse(line).type === 'entry').length, result.sequence);
    for (const secret of [email, id, '192.0.2.1']) t.notMatch(lines.join('\n'), secret);
    t.match(await checked(app, await exported(await startTestApp(t))), { finding: null, sequence: 0 });
  },
);

t.test('verifying a tampered export names the kind of tampering and the first wrong entry', async (t) => {
  const app = await startTestApp(t);
  await createSealedTrail(app, [5, 5, 5]);
  const lines = await exported(app);
  const places = lines.map((line) => JSON.parse(line));
  const lineOf = (sequence: number) => places.findIndex((line) => line.sequence === sequence);
  const batch = places.findIndex((line) => line.type === 'batch' && line.lastSequence === 10);
  const edited = (index: number, change: (line: ReturnType<typeof JSON.parse>) => unknown) =>
    lines.with(index, JSON.stringify(change(structuredClone(places[index]))));
  const cases = {
    CHANGED: edited(lineOf(7), (line) => ({ ...line, entry: { ...line.entry, outcome: 'DENIED' } })),
    REMOVED: lines.toSpliced(lineOf(7), 1),
    INSERTED: edited(lineOf(7), (line) => {
      const entryId = 'a'.repeat(24);
      return { ...line, entryId, entry: { ...line.entry, id: entryId } };
    }),
    REORDERED: lines
      .with(lineOf(7), JSON.stringify({ ...places[lineOf(9)], sequence: 7 }))
      .with(lineOf(9), JSON.stringify({ ...places[lineOf(7)], sequence: 9 })),
    SIGNATURE: edited(batch, (line) => ({ ...line, signedAt: '2020-01-01T00:00:00.000Z' })),
    CUT_OFF: lines.slice(0, lineOf(11)),
  };
  // The original of a replaced entry must still exist, otherwise it counts as removed.
  const original = cases.INSERTED;
  cases.INSERTED = original.with(lineOf(8), lines[lineOf(7)]?.replace('"sequence":7', '"sequence":8') ?? '');
  const expected = { CHANGED: 7, REMOVED: 7, INSERTED: 7, REORDERED: 7, SIGNATURE: 6, CUT_OFF: 11 };
  for (const [kind, changed] of Object.entries(cases)) {
    const { finding } = await checked(app, changed);
    t.match(finding, { kind, sequence: expected[kind as keyof typeof expected] }, kind);
  }
  const other = lines.with(-1, JSON.stringify({ type: 'end', checkpoint: null }));
  t.match(await checked(app, other), { finding: { kind: 'SIGNATURE' } }, 'an unsigned end');
  await t.rejects(checked(app, ['{"type":"entry"}']), /Line 1/);
  await t.rejects(checked(app, lines.with(-1, 'x')), /is not a line of an exported audit trail/);
  await t.rejects(verifyAuditTrailExport({ path: join(app.dataDir, 'none'), publicKeys: pem(app) }), {
    code: 'ENOENT',
  });
  await t.rejects(
    verifyAuditTrailExport({ path: join(app.dataDir, 'export.jsonl'), publicKeys: 'none' }),
    /no public key/,
  );
});

t.test('unknown fields in a line and lines after the end are rejected', async (t) => {
  const app = await startTestApp(t);
  await createSealedTrail(app, [3]);
  const lines = await exported(app);
  const more = (index: number, change: (line: ReturnType<typeof JSON.parse>) => unknown) =>
    lines.with(index, JSON.stringify(change(JSON.parse(lines.at(index) ?? ''))));
  for (const [place, changed] of Object.entries({
    'line 2, inside the entry': more(1, (line) => ({ ...line, entry: { ...line.entry, note: 'x' } })),
    'line 2': more(1, (line) => ({ ...line, note: 'x' })),
    'line 1': more(0, (line) => ({ ...line, note: 'x' })),
    'line 5, the batch': more(4, (line) => ({ ...line, note: 'x' })),
  }))
    await t.rejects(
      checked(app, changed),
      { name: 'TrailExportFormatError', message: /is not a line of/ },
      place,
    );
  const end = more(-1, (line) => ({ ...line, checkpoint: { ...line.checkpoint, note: 'x' } }));
  t.match(await checked(app, end), { finding: { kind: 'SIGNATURE' } }, 'an end with an unsigned field');
  const [entry = '', last = ''] = [lines[1], lines.at(-1)];
  for (const behind of [entry, last, lines[0] ?? '', '', 'x'])
    await t.rejects(checked(app, [...lines, behind]), /Line 7 follows the end/, behind.slice(0, 30));
  t.match(await checked(app, lines), { finding: null });
});

t.test('external checkpoints reveal older, truncated and emptied exports', async (t) => {
  const app = await startTestApp(t);
  const empty = await exported(app);
  await createSealedTrail(app, [3]);
  const older = await exported(app);
  await createSealedTrail(app, [3]);
  await app.services.sealer.start();
  await app.services.sealer.stop();
  const checkpoints = await app.services.audit.checkpointFile.readLines();
  const whole = await exported(app);
  t.match(await checked(app, whole, checkpoints), { finding: null, checkpoints: checkpoints.length });
  t.match(await checked(app, whole, ['x', ...checkpoints]), { finding: null, unreadableLines: 1 });
  for (const [lines, kind, sequence] of [
    [older, 'OLDER_DATABASE', 4],
    [empty, 'CUT_OFF', 1],
    [[...whole.slice(0, 1), JSON.stringify({ type: 'end', checkpoint: null })], 'CUT_OFF', 1],
    [[...older.slice(0, -1), whole.at(-1) ?? ''], 'CUT_OFF', 4],
  ] as const)
    t.match(await checked(app, lines, checkpoints), { finding: { kind, sequence, through: 6 } });
  t.match(await checked(app, older), { finding: null }, 'not detected without checkpoints');
  const other = await startTestApp(t);
  await createSealedTrail(other, [6]);
  const replaced = await checked(other, await exported(other), checkpoints);
  t.match(replaced, { finding: { kind: 'OLDER_DATABASE', sequence: 1 } }, 'another trail');
});

t.test('an export after retention includes a proof of the dropped entries', async (t) => {
  const app = await startTestApp(t);
  await app.database.pool.query(
    `INSERT INTO audit_entries (id, action, severity, resource_type, outcome, operation, request_id, created_at)
     VALUES (repeat('a', 24), 'LOGOUT', 'LOW', 'SESSION', 'SUCCESS', 'test', 'r', now() - interval '100 days')`,
  );
  await sealAllEntries(app);
  await createSealedTrail(app, [2]);
  await runAsSchemaOwner(app, (client) => client.query('INSERT INTO audit_retention (days) VALUES (99)'));
  await createAuditRetentionJob(app.services.audit)({});
  const lines = await exported(app);
  t.match(await checked(app, lines), { finding: null, droppedThrough: 1, sequence: 3 });
  t.match(JSON.parse(lines[1] ?? ''), { type: 'dropped', firstSequence: 1, lastSequence: 1 });
  const without = await checked(app, lines.toSpliced(1, 1));
  t.match(without, { finding: { kind: 'REMOVED', sequence: 1 } });
});

// Implemented from docs/security/audit-trail.md alone, without imports from src.
t.test('the test vectors follow the documented format, and their export passes verification', async (t) => {
  const vectors = JSON.parse(await readFile('test/vectors/audit-trail.json', 'utf8'));
  const encode = (value: string | null | (string | null)[]): Buffer => {
    if (value === null) return Buffer.of(0);
    const body = typeof value === 'string' ? Buffer.from(value) : Buffer.concat(value.map(encode));
    const head = Buffer.alloc(5);
    head.writeUInt8(typeof value === 'string' ? 1 : 2);
    head.writeUInt32BE(typeof value === 'string' ? body.length : value.length, 1);
    return Buffer.concat([head, body]);
  };
  const key = createPublicKey(vectors.publicKeyPem);
  const raw = Buffer.from(vectors.publicKey, 'base64');
  const keyId = createHash('sha256').update(raw).digest('hex').slice(0, 16);
  t.equal(keyId, vectors.keyId);
  t.ok(key.export({ format: 'der', type: 'spki' }).subarray(-32).equals(raw));
  let seal = Buffer.alloc(32);
  for (const { sequence, entry: e, canonical, sealHash } of vectors.entries) {
    const bytes = Buffer.concat(
      [
        'qr-profile-service/audit-entry/v1',
        ...[String(sequence), e.id, e.action, e.severity, e.resourceType, e.resourceId, e.actorReference],
        ...[
          e.subjectReference,
          e.outcome,
          e.operation,
          e.ipHash,
          e.userAgentHash,
          e.requestId,
          e.changes,
          e.createdAt,
        ],
      ].map(encode),
    );
    t.equal(bytes.toString('hex'), canonical);
    seal = createHash('sha256').update(seal).update(bytes).digest();
    t.equal(seal.toString('hex'), sealHash);
  }
  const { batch: b, checkpoint: c } = vectors;
  const messages = [
    {
      ...b,
      fields: [
        'qr-profile-service/audit-batch/v1',
        ...[String(b.firstSequence), String(b.lastSequence), b.lastHash, b.members, b.signedAt, keyId],
      ],
    },
    {
      ...c,
      fields: [
        'qr-profile-service/audit-checkpoint/v1',
        ...[String(c.sequence), c.sealHash, String(c.entries), c.at, c.database, c.transaction, keyId],
      ],
    },
  ];
  for (const { fields, message, signature } of messages) {
    const bytes = Buffer.concat(fields.map(encode));
    t.equal(bytes.toString('hex'), message);
    t.ok(verify(null, bytes, key, Buffer.from(signature, 'hex')));
  }
  const path = 'test/vectors/audit-export.jsonl';
  const result = await verifyAuditTrailExport({ path, publicKeys: vectors.publicKeyPem });
  t.match(result, { finding: null, sequence: 2, sealHash: seal.toString('hex') });
});
