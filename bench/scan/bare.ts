// Baseline of scans, in its own process: a bare Fastify handler, the raw driver, one prepared statement per request.
// Arguments are the database URL and the pool size; it sends its port.
import Fastify from 'fastify';
import pg from 'pg';
import { generateId } from '../../src/shared/ids.ts';
import { SCAN_STATEMENT } from './statement.ts';

process.on('disconnect', () => process.exit());

const [url = '', poolSize = '10'] = process.argv.slice(2);

const pool = new pg.Pool({ connectionString: url, max: Number(poolSize) });
const visitor = Buffer.alloc(32, 1);
const app = Fastify();
app.post('/scan', async (request, reply) => {
  const { qrCodeId } = request.body as { qrCodeId: string };
  const id = generateId();
  const values = [qrCodeId, id, visitor, request.headers['user-agent'] ?? ''];
  const { rows } = await pool.query({ name: 'scan', text: SCAN_STATEMENT, values });
  if (rows.length === 0) return reply.code(404).send({ code: 'NOT_FOUND' });
  return reply
    .code(201)
    .send({ scan: { id, qrCodeId, type: 'public', scannedAt: new Date().toISOString() } });
});
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(Number(new URL(address).port));
