import { QR_CODE_SORTS } from '../../../src/features/codes/qrcode-list.repository.ts';
import { startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createQrCodeClient } from './code-helper.ts';

const app = await startTestApp(t);

t.test('each sort has the same order by page and by cursor, with equal and missing values', async (t) => {
  const { list, ids } = await createList(app, 9);
  await app.database.pool.query(
    `INSERT INTO scan_counts (qr_code_id, total, humans, uniques, last_scanned_at)
     SELECT id, 1 + n / 2, 0, 0, '2026-01-01'::timestamptz + n / 2 * interval '1 ms'
     FROM unnest($1::text[]) WITH ORDINALITY AS code (id, n)`,
    [ids.slice(0, 6)],
  );
  for (const sort of QR_CODE_SORTS) {
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list(`sort=${sort}&limit=2&page=${page}`)));
    const byPage = pages.flatMap((page) => page.ids);
    t.equal(new Set(byPage).size, 9, sort);
    t.same(await readAll(list, `sort=${sort}&limit=2`, 'start'), byPage, sort);
    const { nextCursor } = pages[1]?.pagination ?? {};
    t.same(
      await readAll(list, `sort=${sort}&limit=2`, nextCursor),
      byPage.slice(4),
      `${sort}, from page 2 on`,
    );
    t.match(pages[4]?.pagination, { page: 5, total: 9, nextCursor: null, hasMore: false });
  }
});

t.test('a cursor belongs to its list, filters and sort', async (t) => {
  const { list, get } = await createList(app, 3);
  const { pagination } = await list('sort=title&limit=1&status=ACTIVE&status=LOST');
  const cursor = `cursor=${pagination.nextCursor}`;
  t.match(await list(`status=LOST&status=ACTIVE&sort=title&limit=2&${cursor}`), {
    pagination: { hasMore: false },
  });
  for (const query of [
    'sort=-title&status=ACTIVE&status=LOST',
    'sort=title&status=ACTIVE',
    'sort=title',
    'sort=title&status=ACTIVE&status=LOST&search=code',
    '',
  ])
    t.match((await get(`?${query}&${cursor}`)).body, { status: 400, code: 'CURSOR_MISMATCH' }, query);
  const [scope] = JSON.parse(Buffer.from(pagination.nextCursor, 'base64url').toString());
  const id = 'a'.repeat(24);
  for (const [title, position] of [
    ['a key of another type', [scope, 1, id]],
    ['a missing key', [scope, null, id]],
    ['NUL', [scope, '\0', id]],
    ['half a character', [scope, '\ud800', id]],
    ['no id', [scope, 'a', "'"]],
    ['more', [scope, 'a', id, 1, 2]],
    ['no list', { scope }],
  ] as const) {
    const forged = Buffer.from(JSON.stringify(position)).toString('base64url');
    const { body } = await get(`?sort=title&status=ACTIVE&status=LOST&cursor=${forged}`);
    t.match(body, { status: 400, code: 'VALIDATION_FAILED', errors: [{ field: 'cursor' }] }, title);
  }
});

t.test('codes that stay are listed once while others come and go', async (t) => {
  const { list, ids, accountId } = await createList(app, 300);
  for (const sort of ['-createdAt', 'title']) {
    const remaining = new Set(ids.filter((_, index) => index % 3 > 0));
    const going = ids.filter((id) => !remaining.has(id));
    const listed: string[] = [];
    for (let cursor: string | null = 'start'; cursor; ) {
      const page = await list(`sort=${sort}&limit=25&cursor=${cursor}`);
      listed.push(...page.ids);
      cursor = page.pagination.nextCursor;
      await insertCodes(app, accountId, 10);
      await app.database.pool.query(
        `UPDATE qr_codes SET status = 'DELETED', deleted_at = now() WHERE id = ANY($1)`,
        [going.splice(0, 5)],
      );
    }
    t.equal(new Set(listed).size, listed.length, 'none twice');
    t.same(
      [...remaining].filter((id) => !listed.includes(id)),
      [],
      'none left out',
    );
  }
});

async function createList(app: TestApp, count: number) {
  const user = await app.createUser();
  const ids = await insertCodes(app, user.id, count);
  const call = createQrCodeClient(app, user);
  const get = (query: string) => call('GET', query);
  const list = async (query: string) => {
    const { status, body, text } = await get(`?${query}`);
    if (status !== 200) throw new Error(text);
    return { ids: body.data.map(({ id }: { id: string }) => id) as string[], pagination: body.pagination };
  };
  return { list, get, ids, accountId: user.id };
}

/** Two of each title and three of each time. */
async function insertCodes({ database }: TestApp, accountId: string, count: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, data, visibility, design, created_at)
     SELECT substr(md5(random()::text), 1, 24), $1, 'PET', 'DYNAMIC', 'code ' || n / 2, 'code', '\\x00', '{}', '{}',
            '2026-01-01'::timestamptz + n / 3 * interval '1 ms'
     FROM generate_series(1, $2::int) AS n RETURNING id`,
    [accountId, count],
  );
  return rows.map(({ id }) => id);
}

async function readAll(
  list: (query: string) => Promise<{ ids: string[]; pagination: { nextCursor: string | null } }>,
  query: string,
  from: string | null | undefined,
): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = from ?? null; cursor; ) {
    const page = await list(`${query}&cursor=${cursor}`);
    ids.push(...page.ids);
    cursor = page.pagination.nextCursor;
  }
  return ids;
}
