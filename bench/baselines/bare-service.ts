// Baseline of scans, lists and cards in its own process: a bare Fastify handler, the raw driver, prepared statements.
// Arguments: database URL, pool size, and for lists the secret of access tokens; sends its port.
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import {
  createQrCodeListQueries,
  QR_CODE_LIST_SORTS,
} from '../../src/features/codes/qrcode-list.repository.ts';
import { createScanListQueries } from '../../src/features/scans/scan-list.repository.ts';
import { registerAccessTokenSigning } from '../../src/platform/access-token.ts';
import { generateId } from '../../src/shared/ids.ts';
import { SCAN_STATEMENT } from './pgbench.ts';

process.on('disconnect', () => process.exit());

const [url = '', poolSize = '10', jwtSecret] = process.argv.slice(2);

const PAGE_ARGUMENTS = { skip: 0, take: 10 };
const OWNER_PROPERTY = 'the owner';
const SESSION_SQL = `SELECT user_id FROM sessions WHERE id = $1 AND ended_at IS NULL AND expires_at > now()`;
const ONE_ROW_SQL =
  'SELECT id, email, first_name, last_name, organization_name, time_zone FROM users WHERE id = $1';

interface PreparedQuery {
  text: string;
  values: unknown[];
}

const pool = new pg.Pool({ connectionString: url, max: Number(poolSize), options: '-c TimeZone=UTC' });
const app = Fastify();
registerScanRoute();
if (jwtSecret) {
  await registerAccessTokenSigning(app, jwtSecret);
  const sort = QR_CODE_LIST_SORTS['-createdAt'];
  registerListRoute('/codes', createQrCodeListQueries(OWNER_PROPERTY, {}, sort, PAGE_ARGUMENTS));
  registerListRoute('/scans', createScanListQueries(OWNER_PROPERTY, {}, '-scannedAt', PAGE_ARGUMENTS));
  registerRowRoute();
}
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(Number(new URL(address).port));

function registerScanRoute(): void {
  const visitor = Buffer.alloc(32, 1);
  app.post('/scan', async (request, reply) => {
    const { qrCodeId } = request.body as { qrCodeId: string };
    const id = generateId();
    const values = [qrCodeId, id, visitor, request.headers['user-agent'] ?? ''];
    const { rows } = await pool.query({ name: 'scan', text: SCAN_STATEMENT, values });
    if (rows.length === 0) return reply.code(404).send({ code: 'NOT_FOUND' });
    const scan = { id, qrCodeId, type: 'public', scannedAt: new Date().toISOString() };
    return reply.code(201).send({ scan });
  });
}

function registerListRoute(path: string, queries: { page: PreparedQuery; total: PreparedQuery }): void {
  app.get(path, async (request) => {
    const owner = await authenticateOwner(request);
    const run = (name: 'page' | 'total') => {
      const { text, values } = queries[name];
      const parameters = values.map((value) => (value === OWNER_PROPERTY ? owner : value));
      return pool.query({ name: `${path} ${name}`, text, values: parameters });
    };
    const [page, total] = await Promise.all([run('page'), run('total')]);
    const pagination = { page: 1, limit: PAGE_ARGUMENTS.take, total: Number(total.rows[0].total) };
    return { data: page.rows, pagination };
  });
}

function registerRowRoute(): void {
  app.get('/row', async (request) => {
    const values = [await authenticateOwner(request)];
    const { rows } = await pool.query({ name: 'row', text: ONE_ROW_SQL, values });
    return rows[0];
  });
}

async function authenticateOwner(request: FastifyRequest): Promise<string> {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const sessionId = app.verifyAccessToken(token)?.sessionId;
  const { rows } = await pool.query({ name: 'session', text: SESSION_SQL, values: [sessionId] });
  if (rows.length === 0) throw new Error('No such session.');
  return rows[0].user_id;
}
