import { startTestApp } from '../../../helper.ts';
import { createCodeOfAccount, insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';
import { signIn } from '../content/owner.ts';

const test = await startTestApp(t);

const DOG = { kind: 'PET', title: 'Rex <b>', data: { name: 'Rex', owner: { name: 'Anna' } } };

t.test('the first page lists four steps, says which are done, and is without them at the end', async (t) => {
  const { browser, api, path, user } = await signIn(test);
  await browser.open(path);
  t.notMatch(browser.main, 'Almost done', 'there is no code yet');
  const { id } = (await api('POST', '/api/qrcodes', DOG)).body;
  const code = `${path}/codes/${id}`;
  const open = async () => {
    await browser.open(path);
    const steps = /<ol>(.*?)<\/ol>/s.exec(browser.main)?.[1] ?? '';
    return ['make', 'print', 'phone', 'practice'].filter(
      (name) => steps !== '' && !steps.includes(`href="${code}/${name}"`),
    );
  };
  t.same(await open(), ['make']);
  t.match(browser.main, '✓ Make a code');
  t.notMatch(browser.page.text, 'Rex <b>');
  await browser.open(`${code}/image/png`);
  await browser.open(`${code}/print`);
  t.same(await open(), ['make'], 'looking is not printing');
  await browser.open(`${code}/print`);
  await browser.fill('/phone');
  await browser.open(`${code}/phone`);
  await browser.fill('/phone');
  t.same(await open(), ['make', 'print']);
  await api('POST', '/api/scans', { qrCodeId: id });
  t.same(await open(), ['make', 'print', 'phone']);
  await browser.open(`${code}/practice?step=found`);
  await browser.fill('/practice');
  t.equal(browser.path, path);
  t.same(await open(), []);
  t.notMatch(browser.main, 'Almost done');
  t.same(await queryDatabase(test, 'SELECT first_steps FROM users WHERE id = $1', user.id), [
    { first_steps: ['PRINTED', 'PRACTICED'] },
  ]);
});

t.test('the steps are hidden by a button, and a week after the first code', async (t) => {
  const { browser, api, path } = await signIn(test);
  const { id } = (await api('POST', '/api/qrcodes', DOG)).body;
  await browser.open(path);
  await browser.fill('/first-steps/hide');
  t.equal(browser.path, path);
  t.notMatch(browser.main, 'Almost done');
  await queryDatabase(test, "UPDATE users SET first_steps = '{}'");
  await browser.open(path);
  t.match(browser.main, 'Almost done');
  await queryDatabase(
    test,
    "UPDATE qr_codes SET created_at = created_at - interval '8 days' WHERE id = $1",
    id,
  );
  await browser.open(path);
  t.notMatch(browser.main, 'Almost done');
});

t.test('codes that nobody loses have no steps', async (t) => {
  const { browser, api, path } = await signIn(test);
  await api('POST', '/api/qrcodes', {
    kind: 'TEXT',
    title: 'Can',
    data: { text: 'Water me' },
    mode: 'STATIC',
  });
  await browser.open(path);
  t.notMatch(browser.main, 'Almost done');
});

t.test('a member of an organization has first steps of their own, and hides them', async (t) => {
  const { browser, user } = await signIn(test);
  const other = await signIn(test);
  const accountId = await insertOrganization(test, {
    members: [
      { userId: user.id, role: 'OWNER' },
      { userId: other.user.id, role: 'EDITOR' },
    ],
  });
  const path = `/app/${accountId}`;
  const id = await createCodeOfAccount(test, { accountId, userId: user.id });
  await browser.open(`${path}/codes/${id}/print`);
  await browser.fill('/phone');
  await browser.open(`${path}/codes/${id}/practice?step=found`);
  await browser.fill('/practice');
  t.equal(browser.path, path);
  t.notMatch(browser.main, `/codes/${id}/practice`, 'what they did is done');
  t.same(await queryDatabase(test, 'SELECT first_steps FROM users WHERE id = $1', user.id), [
    { first_steps: ['PRINTED', 'PRACTICED'] },
  ]);
  await browser.fill('/first-steps/hide');
  t.equal(browser.path, path);
  t.notMatch(browser.main, 'Almost done');
  await other.browser.open(path);
  t.match(other.browser.main, 'Almost done', 'those of other members stay');
  t.match(other.browser.main, `/codes/${id}/practice`);
});

t.test('nobody hides the steps of somebody else', async (t) => {
  const { browser, api, path, user } = await signIn(test);
  await api('POST', '/api/qrcodes', DOG);
  await browser.open(path);
  const other = await signIn(test);
  await other.api('POST', '/api/qrcodes', DOG);
  await other.browser.open(other.path);
  const { action, fields } = other.browser.readForm('/first-steps/hide');
  const body = String(new URLSearchParams(fields));
  const foreign = action.replace(other.path, path);
  t.equal((await other.browser.open(foreign, { method: 'POST', body })).status, 404);
  t.equal((await browser.open(action.replace(other.path, path), { method: 'POST', body })).status, 403);
  t.same(await queryDatabase(test, 'SELECT first_steps FROM users WHERE id = $1', user.id), [
    { first_steps: [] },
  ]);
});
