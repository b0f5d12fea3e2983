import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

t.test('selected codes are paused, resumed, printed, deleted and restored together', async (t) => {
  const app = await startTestApp(t);
  const [user, other] = [await app.createUser(), await app.createUser()];
  const ids: string[] = [];
  for (const title of ['Drill', 'Ladder', '<i>"Saw"'])
    ids.push((await createTestCode(app, user, { title })).id);
  const foreign = await createTestCode(app, other);
  const browser = await signInBrowser(app, user);
  const path = `/app/${user.id}/codes`;
  const getStatuses = async () => {
    const rows = await app.database.client.qrCode.findMany({ where: { id: { in: ids } } });
    return ids.map((id) => rows.find((row) => row.id === id)?.status);
  };
  const run = async (action: string, selected: readonly string[], page = path) => {
    await browser.open(page);
    const token = /id="selection".*?name="token" value="([^"]*)"/s.exec(browser.page.text)?.[1] ?? '';
    const fields = Object.fromEntries(selected.map((id) => [`code-${id}`, 'on']));
    const body = String(new URLSearchParams({ token, ...fields }));
    await browser.open(`${path}/selected/${action}`, { method: 'POST', body });
  };
  await browser.open(path);
  t.match(browser.page.text, `name="code-${ids[0]}" aria-label="Select Drill"`);
  t.notMatch(browser.page.text, '<i>');

  await run('pause', ids.slice(0, 2));
  t.match(browser.main, '2 codes are paused.');
  t.same(await getStatuses(), ['PAUSED', 'PAUSED', 'ACTIVE']);
  await run('resume', ids.slice(0, 1));
  t.match(browser.main, '1 code is active again.');
  await run('resume', ids.slice(0, 2));
  t.match(browser.main, '1 code is active again.');
  t.match(browser.main, '1 code was left out: it isn’t paused.');
  await run('print', ids.slice(0, 2));
  t.equal(browser.path, `/app/${user.id}/print?ids=${ids[0]},${ids[1]}`);

  await run('delete', [...ids.slice(1), foreign.id]);
  t.match(browser.main, '2 codes are deleted.');
  t.match(browser.main, '1 code no longer exists.', 'nobody deletes the code of somebody else');
  t.same(await getStatuses(), ['ACTIVE', 'DELETED', 'DELETED']);
  t.match(await app.database.client.qrCode.findUnique({ where: { id: foreign.id } }), { status: 'ACTIVE' });
  const denied = { action: 'ACCESS_DENIED', resourceId: foreign.id, outcome: 'DENIED' };
  t.equal(await app.database.client.auditEntry.count({ where: denied }), 1, 'the attempt is recorded');
  t.match(browser.main, `${path}/deleted`);
  await run('restore', ids.slice(1), `${path}/deleted`);
  t.equal(browser.path, `${path}/deleted?selected=restore&count=2`);
  t.match(browser.main, '2 codes are back.');
  const entries = await app.database.client.auditEntry.groupBy({
    by: ['action'],
    where: { action: { in: ['QRCODE_DELETED', 'QRCODE_RESTORED'] } },
    _count: true,
  });
  t.same(Object.fromEntries(entries.map(({ action, _count }) => [action, _count])), {
    QRCODE_DELETED: 2,
    QRCODE_RESTORED: 2,
  });

  for (const action of ['pause', 'print', 'edit', 'delete']) {
    await run(action, []);
    t.match(browser.main, 'Select at least one code first.', action);
  }
  await browser.open(`${path}?selected=constructor&count=3`);
  t.notMatch(browser.main, 'class="note');
});
