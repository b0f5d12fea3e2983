import { createTagsJob } from '../../../../src/features/codes/batches/create-tags.job.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { signInBrowser } from '../signed-in-browser.ts';

t.test('tags are made, handed out, exported and deleted in pages', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off', PUBLIC_BASE_URL: 'https://qr.example.org' });
  const [user, other] = [await app.createUser(), await app.createUser()];
  await app.services.jobs.stop();
  const browser = await signInBrowser(app, user);
  const list = `/app/${user.id}/batches`;
  await browser.open(`/app/${user.id}/codes/new`);
  t.match(browser.main, list);
  await browser.open(list);
  await browser.fill('/batches', { prefix: ' ', count: 'many' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="prefix-error"');
  t.match(browser.main, 'id="count-error"');
  await browser.fill('/batches', { prefix: '<b>Bag</b>', count: '60', claim: 'BY_CODE' });
  const path = browser.path;
  t.match(browser.main, 'data-state="WAITING-0"');
  await browser.open(`${path}/updates`);
  t.equal(browser.page.text, 'WAITING-0');
  const batchId = path.split('/').at(-1) ?? '';
  await createTagsJob(app.services)({ accountId: user.id, batchId });
  await browser.open(path);
  t.notMatch(browser.page.text, '<b>Bag');
  t.match(browser.main, `/app/${user.id}/print?batchId=${batchId}`);
  t.match(browser.main, `${path}?from=51`);
  t.ok(browser.page.text.length < 30_000, `${browser.page.text.length} bytes`);
  await browser.fill('/tags', { from: '1', to: '20' });
  t.equal(browser.path, path);
  t.match(browser.main, '<dd>20</dd>');
  await browser.send('/tags', { from: '30', to: '61' });
  t.equal(browser.page.status, 400);
  await browser.open(`${path}/export`);
  t.match(browser.page, { status: 200, headers: { 'content-type': /text\/csv/ } });
  await browser.open(`/app/${user.id}/codes?batchId=${batchId}&tagTo=7`);
  t.match(browser.main, '7 codes');
  const [, codePath = ''] = /href="(\/app\/\w+\/codes\/[0-9a-f]{24})"/.exec(browser.main) ?? [];
  await browser.open(codePath);
  t.match(browser.main, `<a href="${path}">Nobody has set up this tag yet.`);
  t.notMatch(browser.main, `${codePath}/lost`);
  await browser.open(`/app/${user.id}/print?batchId=${batchId}&tagFrom=1&tagTo=4`);
  t.match(browser.main, 'A label for each of 4 codes');

  const stranger = await signInBrowser(app, other);
  for (const address of [path, `${path}/export`, `${path}/images`, path.replace(user.id, other.id)]) {
    await stranger.open(address);
    t.equal(stranger.page.status, 404, address);
  }
  await browser.open(path);
  await browser.send('/delete');
  t.equal(browser.path, `${list}?done=deleted`);
  t.match(browser.main, 'The batch is deleted.');
  await browser.open(path);
  t.equal(browser.page.status, 404);
});
