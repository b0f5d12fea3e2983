import { createTagsJob } from '../../../../src/features/codes/batches/create-tags.job.ts';
import { generateId } from '../../../../src/shared/ids.ts';
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
  t.match(browser.main, `formaction="/app/${user.id}/print"`);
  await browser.open(`${path}/images?batchId=${batchId}&sort=title&tagFrom=59&tagTo=60&format=svg`);
  t.match(browser.page, { status: 200, headers: { 'content-disposition': /tags-59-60\.zip/ } });
  await browser.open(`${path}/images?tagFrom=1&tagTo=2001&format=png`);
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'name="tagFrom"');
  t.match(browser.main, `${path}?from=51`);
  t.ok(browser.page.text.length < 30_000, `${browser.page.text.length} bytes`);
  await browser.fill('/tags', { from: '1', to: '20' });
  t.equal(browser.path, path);
  t.match(browser.main, '<dd>20</dd>');
  await browser.send('/tags', { from: '1', to: '7', mark: 'printed' });
  t.match(browser.main, '<dd>7</dd>');
  await browser.send('/tags', { from: '1', to: '2', mark: 'not-printed' });
  t.match(browser.main, '<dd>5</dd>');
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
  await browser.open(`/app/${user.id}/print?batchId=${batchId}&tagFrom=1&tagTo=100000`);
  t.match(browser.main, 'tagTo=100000', 'numbers have six digits');

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

t.test('batches after the 100th are on the next page, and more than 500 are refused', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off', PUBLIC_BASE_URL: 'https://qr.example.org' });
  const user = await app.createUser();
  await app.services.jobs.stop();
  const data = Array.from({ length: 500 }, (_, index) => ({
    accountId: user.id,
    id: generateId(),
    kind: 'LUGGAGE',
    prefix: `Batch ${index + 1}.`,
    claim: 'OPEN',
    size: 1,
    status: 'COMPLETED',
    design: {},
    pageDesign: {},
    requestId: 'test',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)),
    finishedAt: new Date(),
  }));
  await app.database.client.batch.createMany({ data });
  const browser = await signInBrowser(app, user);
  await browser.open(`/app/${user.id}/batches`);
  t.match(browser.main, 'Batch 401.');
  t.notMatch(browser.main, 'Batch 400.');
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(browser.main) ?? [];
  await browser.open(next.replaceAll('&amp;', '&'));
  t.match(browser.main, 'Batch 400.');
  t.notMatch(browser.main, 'Batch 401.');
  await browser.fill('/batches', { prefix: 'Bag', count: '1' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Please delete one first.');
});
