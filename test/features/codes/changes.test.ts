import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createQrCodeClient, createTestCode } from './code-helper.ts';

const app = await startTestApp(t);

t.test('a client keeps a copy of its codes by their changes', async (t) => {
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const titles = new Map<string, string>();
  let since = new Date(Date.now() - 5_000).toISOString();
  const sync = async () => {
    for (let cursor = ''; ; ) {
      const { status, body, text } = await call('GET', `?limit=2&updatedSince=${since}${cursor}`);
      if (status !== 200) throw new Error(text);
      for (const { id, title } of body.data) titles.set(id, title);
      for (const { id, deletedAt } of body.deleted) {
        t.match(deletedAt, /Z$/);
        titles.delete(id);
      }
      t.ok(body.data.length + body.deleted.length <= 2);
      if (body.pagination.hasMore) {
        t.notOk('nextUpdatedSince' in body.pagination, 'only on the last page');
        cursor = `&cursor=${body.pagination.nextCursor}`;
      } else {
        since = body.pagination.nextUpdatedSince;
        return;
      }
    }
  };
  /** A round reads the last minute again, which hides a change without a new time. */
  const syncAfter = async (change: () => Promise<unknown>) => {
    await app.database.client.$executeRaw`UPDATE qr_codes SET updated_at = updated_at - interval '1 hour'`;
    await change();
    await sync();
  };
  const listTitles = async () => {
    const { body } = await call('GET', '?limit=100');
    return body.data.map(({ title }: { title: string }) => title).toSorted();
  };
  const codes: { id: string }[] = [];
  for (const title of ['a', 'b', 'c', 'd', 'e']) codes.push(await createTestCode(app, user, { title }));
  await createTestCode(app, await app.createUser(), { title: 'of another user' });
  await sync();
  t.same([...titles.values()].toSorted(), await listTitles());

  const [a, b, c, d, e] = codes.map(({ id }) => id);
  await syncAfter(async () => {
    await call('PATCH', `/${a}`, { title: 'A' });
    await call('DELETE', `/${b}`);
    await call('POST', '/bulk/delete', { items: [{ id: c }] });
    await call('PATCH', '/bulk', { items: [{ id: d, title: 'D' }] });
  });
  t.same([...titles.values()].toSorted(), ['A', 'D', 'e']);

  await syncAfter(async () => {
    await call('POST', `/${c}/restore`);
    await call('POST', '/bulk', { items: [{ kind: 'PET', title: 'g', data: { name: 'Rex' } }] });
  });
  t.same([...titles.values()].toSorted(), await listTitles());
  t.equal(titles.size, 5);

  await t.test('a change that is committed late is not missed', async (t) => {
    const late = await app.database.pool.connect();
    t.teardown(() => late.release());
    await late.query('BEGIN');
    await late.query(`UPDATE qr_codes SET title = 'late', updated_at = now() WHERE id = $1`, [e]);
    await createTestCode(app, user, { title: 'f' });
    await sync();
    t.notOk([...titles.values()].includes('late'));
    await late.query('COMMIT');
    await sync();
    t.same([...titles.values()].toSorted(), await listTitles());
    t.ok([...titles.values()].includes('late'));
  });
});

t.test('changes have no other filters, and end where deletions are no longer known', async (t) => {
  const call = createQrCodeClient(app, await app.createUser());
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const query of ['status=ACTIVE', 'sort=title', 'search=a', 'page=2']) {
    const { body } = await call('GET', `?updatedSince=${ago(1)}&${query}`);
    t.match(body, { status: 400, errors: [{ field: query.split('=')[0], code: 'NOT_ALLOWED' }] });
  }
  t.match((await call('GET', `?updatedSince=${ago(31)}`)).body, { code: 'UPDATED_SINCE_TOO_OLD' });
  t.match((await call('GET', `?updatedSince=${ago(29)}`)).body, { data: [], deleted: [] });
});
