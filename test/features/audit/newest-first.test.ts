import { listBreakGlassGrants } from '../../../src/platform/break-glass.repository.ts';
import { startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { fetchBytes, readExportData } from '../personal-data/helper.ts';
import { createAuditor, runAsSchemaOwner } from './helper.ts';

const COUNT = 40;

/** Rows a millisecond apart within one second, with ids in the opposite order. */
const SECOND = `
  FROM generate_series(1, ${COUNT}) AS n,
       LATERAL (SELECT '60000000' || lpad(to_hex(65535 - n), 16, '0') AS id,
                       timestamptz '2026-01-01T00:00:00Z' + n * interval '1 millisecond' AS at) AS made`;

async function createFixture(test: TestApp) {
  const { root, auditor } = await createAuditor(test);
  const ada = await test.createUser();
  const grace = await test.createUser();
  await runAsSchemaOwner(test, async (client) => {
    await client.query(
      `INSERT INTO audit_entries (id, action, severity, resource_type, outcome, operation, request_id, created_at,
                                  actor_reference, subject_reference)
       SELECT id, 'QRCODE_UPDATED', 'HIGH', 'QRCODE', 'SUCCESS', 'test', n, at,
              CASE WHEN n % 2 = 0 THEN reference END, reference
       ${SECOND}, audit_actors WHERE user_id = $1`,
      [ada.id],
    );
    await client.query(
      `INSERT INTO users (id, email, status, created_at) SELECT id, n || '@newest.org', 'SUSPENDED', at ${SECOND}`,
    );
    await client.query(
      `INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, data, visibility, design, image_file, status, created_at)
       SELECT id, $1, 'TEXT', 'DYNAMIC', 'newest ' || n, 'x', 'x', '{}', '{}', 'text-newest-' || $1 || '-' || lpad(n::text, 13, '0') || '.png', 'LOST', at ${SECOND}`,
      [grace.id],
    );
    await client.query(
      `INSERT INTO break_glass_grants (id, administrator_id, account_id, resource_type, resource_id, reason,
                                       created_at, expires_at)
       SELECT id, $1, $2, 'QRCODE', id, '', at, at + interval '1 minute' ${SECOND}`,
      [root.id, ada.id],
    );
  });
  return { root, auditor, ada, grace };
}

const newestFirst = Array.from({ length: COUNT }, (_, index) => String(COUNT - index));

t.test('events within one second are listed newest first, by page and by cursor', async (t) => {
  const test = await startTestApp(t);
  const { root, auditor, ada, grace } = await createFixture(test);
  type Row = Record<string, string>;
  const read = async (path: string, token: string) => {
    const answer = await test.call('GET', path, { token });
    t.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const pages = async (path: string, token: string) => {
    const found: Row[] = [];
    for (let page = 1; page <= 6; page++)
      found.push(...(await read(`${path}&limit=7&page=${page}`, token)).data);
    return found.slice(0, COUNT);
  };
  const byCursor = async (path: string, token: string) => {
    const found: Row[] = [];
    for (let cursor: string | null = 'start'; cursor; ) {
      const { data, pagination } = await read(`${path}&limit=7&cursor=${cursor}`, token);
      found.push(...data);
      cursor = pagination.nextCursor;
    }
    return found;
  };
  const number = /\d+$/;
  const of = (rows: Row[], name: string) => rows.map((row) => number.exec(row[name] ?? '')?.[0]);

  const trail = `/api/admin/audit-logs?action=QRCODE_UPDATED&subjectId=${ada.id}`;
  t.same(of(await pages(trail, auditor.accessToken), 'requestId'), newestFirst);
  t.same(of(await byCursor(trail, auditor.accessToken), 'requestId'), newestFirst);
  const some = `${trail}&from=2026-01-01T00:00:00.011Z&to=2026-01-01T00:00:00.031Z`;
  t.same(of(await byCursor(some, auditor.accessToken), 'requestId'), newestFirst.slice(10, 30));
  const exported = await test.call('GET', trail.replace('?', '/export?'), { token: auditor.accessToken });
  const lines = exported.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.same(of(lines, 'requestId'), newestFirst);

  const times = newestFirst.map((n) => `2026-01-01T00:00:00.${n.padStart(3, '0')}Z`);
  const others = times.filter((_, index) => index % 2 === 1);
  const mine = await byCursor('/api/audit/mine?by=OTHERS', ada.accessToken);
  t.same(
    mine.map(({ createdAt }) => createdAt).filter((at) => at?.startsWith('2026-01-01')),
    others,
  );

  const grants = await listBreakGlassGrants(test.database.client, { skip: 0, take: 100 });
  t.same(
    grants.rows.map(({ createdAt }) => createdAt.toISOString()),
    times,
  );
  const users = await pages('/api/admin/users?status=SUSPENDED', root.accessToken);
  t.same(
    users.map(({ email }) => email?.split('@')[0]),
    newestFirst,
  );
  t.same(of(await pages(`/api/admin/qrcodes?search=newest`, root.accessToken), 'title'), newestFirst);
  const cards = await read('/api/dashboard/cards', grace.accessToken);
  t.same(of(cards.attention.codes, 'title'), newestFirst.slice(0, 10));

  const archive = await fetchBytes(test, '/api/auth/export', ada.accessToken);
  const { events } = await readExportData(archive.bytes);
  const eventsOf = (by: string) =>
    events
      .filter((event: Row) => event.by === by && event.at?.startsWith('2026-01-01'))
      .map(({ at }: Row) => at);
  t.same(eventsOf('NOBODY_KNOWN'), others);
  t.same(
    eventsOf('YOU'),
    times.filter((at) => !others.includes(at)),
  );
});

t.test('a malformed cursor is rejected like any invalid field', async (t) => {
  const test = await startTestApp(t);
  const { ada } = await createFixture(test);
  const token = ada.accessToken;
  for (const cursor of ['60000000000000000000fffe', 'x', 'c3RhcnQ']) {
    const answer = await test.call('GET', `/api/audit/mine?cursor=${cursor}`, { token });
    t.equal(answer.status, 400, cursor);
    t.match(answer.body, { code: 'VALIDATION_FAILED', errors: [{ field: 'cursor', code: 'BAD_FORMAT' }] });
  }
});
