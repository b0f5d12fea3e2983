// Baseline of lists and cards: a bare Fastify handler that checks token and session and runs the service's SQL.
// Arguments: database URL, pool size, token secret; sends its port.
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import {
  createQrCodeListQueries,
  QR_CODE_LIST_SORTS,
} from '../../src/features/codes/qrcode-list.repository.ts';
import { createScanListQueries } from '../../src/features/scans/scan-list.repository.ts';
import { registerAccessTokenSigning } from '../../src/platform/access-token.ts';

process.on('disconnect', () => process.exit());

const [url = '', poolSize = '10', jwtSecret = ''] = process.argv.slice(2);

const PAGE_ARGUMENTS = { skip: 0, take: 10 };
const OWNER_PROPERTY = 'the owner';
const SESSION_SQL = `SELECT user_id FROM sessions WHERE id = $1 AND ended_at IS NULL AND expires_at > now()`;
const ONE_ROW_SQL =
  'SELECT id, email, first_name, last_name, organization_name, time_zone FROM users WHERE id = $1';

const pool = new pg.Pool({ connectionString: url, max: Number(poolSize), options: '-c TimeZone=UTC' });
const app = Fastify();
await registerAccessTokenSigning(app, jwtSecret);

async function authenticateOwner(request: FastifyRequest): Promise<string> {
  const sessionId = app.verifyAccessToken(
    request.headers.authorization?.slice('Bearer '.length) ?? '',
  )?.sessionId;
  const { rows } = await pool.query({ name: 'session', text: SESSION_SQL, values: [sessionId] });
  if (rows.length === 0) throw new Error('No such session.');
  return rows[0].user_id;
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
    return {
      data: page.rows,
      pagination: { page: 1, limit: PAGE_ARGUMENTS.take, total: Number(total.rows[0].total) },
    };
  });
}

interface PreparedQuery {
  text: string;
  values: unknown[];
}

registerListRoute(
  '/codes',
  createQrCodeListQueries(OWNER_PROPERTY, {}, QR_CODE_LIST_SORTS['-createdAt'], PAGE_ARGUMENTS),
);
registerListRoute('/scans', createScanListQueries(OWNER_PROPERTY, {}, '-scannedAt', PAGE_ARGUMENTS));
app.get('/row', async (request) => {
  const { rows } = await pool.query({
    name: 'row',
    text: ONE_ROW_SQL,
    values: [await authenticateOwner(request)],
  });
  return rows[0];
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(Number(new URL(address).port));
