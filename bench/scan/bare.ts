// The baseline of bench/scan.ts, in a process of its own: the least that a scan can be. A bare Fastify handler, the raw
// driver, one prepared statement a request that selects the code, inserts the scan and counts it on the code.
import Fastify from 'fastify';
import pg from 'pg';
import { newId } from '../../src/shared/ids.ts';

// Whoever asked has gone.
process.on('disconnect', () => process.exit());

const [url = '', poolSize = '10'] = process.argv.slice(2);

export const STATEMENT = `
  WITH code AS (
    SELECT id, owner_id, kind, title, visibility, data FROM qr_codes WHERE id = $1 AND status = 'ACTIVE'
  ), counted AS (
    INSERT INTO scan_counts AS kept (qr_code_id, total, humans, uniques, last_scanned_at)
    SELECT id, 1, 1, 0, now() FROM code
    ON CONFLICT (qr_code_id) DO UPDATE SET
      total = kept.total + 1, humans = kept.humans + 1, last_scanned_at = excluded.last_scanned_at
  ), made AS (
    INSERT INTO scans (id, qr_code_id, owner_id, type, class, class_rule, visitor_hash, ip_truncated, user_agent, scanned_at)
    SELECT $2, id, owner_id, 'public', 'HUMAN', 'none', $3, '127.0.0.0', $4, now() FROM code
  )
  SELECT id, owner_id, kind, title, visibility, data FROM code`;

const pool = new pg.Pool({ connectionString: url, max: Number(poolSize) });
const visitor = Buffer.alloc(32, 1);
const app = Fastify();
app.post('/scan', async (request, reply) => {
  const { qrCodeId } = request.body as { qrCodeId: string };
  const id = newId();
  const values = [qrCodeId, id, visitor, request.headers['user-agent'] ?? ''];
  const { rows } = await pool.query({ name: 'scan', text: STATEMENT, values });
  if (rows.length === 0) return reply.code(404).send({ code: 'NOT_FOUND' });
  return reply
    .code(201)
    .send({ scan: { id, qrCodeId, type: 'public', scannedAt: new Date().toISOString() } });
});
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(Number(new URL(address).port));
