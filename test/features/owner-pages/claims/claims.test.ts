import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createBatch } from '../../codes/batches/batch-helper.ts';
import { encodeMultipartForm } from '../../documents/upload.ts';
import { ONE_PIXEL_PNG } from '../../memory-tags/gallery-helper.ts';
import { TestBrowser } from '../browser.ts';
import { signInBrowser } from '../signed-in-browser.ts';

t.test('somebody new claims a tag on five screens, with a photo, and gives it back', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const maker = await app.createUser();
  const { tags } = await createBatch(app, maker, { count: 2 });
  const id = tags[0]?.qrCodeId ?? '';
  const browser = new TestBrowser(app);
  let screens = 1;
  await browser.open(`/s/${id}`);
  t.equal(browser.page.status, 200);
  const [, link = ''] = /href="([^"]*\/app\/claim\/[^"]+)"/.exec(browser.page.text) ?? [];
  await browser.open(new URL(link.replaceAll('&amp;', '&')).pathname);
  screens += 1;
  t.match(browser.path, '/app/sign-up?to=');
  const email = 'grace@example.org';
  await browser.fill('/sign-up', {
    firstName: 'Grace',
    lastName: 'Hopper',
    email,
    password: 'correct horse battery staple',
  });
  screens += 1;
  await browser.fill('/sign-up/code', { code: await app.getOtp(email) });
  screens += 1;
  t.equal(browser.path, `/app/claim/${id}`);
  t.notMatch(browser.main, 'Suitcase 1');
  const { action, fields } = browser.readForm(`/claim/${id}`);
  const send = (name: string) =>
    browser.open(action, {
      method: 'POST',
      type: 'multipart/form-data; boundary=XX',
      body: encodeMultipartForm([
        { name: 'token', value: fields.token ?? '' },
        { name: 'name', value: name },
        { name: 'picture', fileName: 'bag.png', value: ONE_PIXEL_PNG },
      ]),
    });
  await send(' ');
  t.match(browser.main, 'id="name-error"');
  t.match(browser.main, 'Please choose the photo again.');
  await send('Green backpack');
  screens += 1;
  t.equal(browser.path, `/app/claim/${id}?done=claimed`);
  t.match(browser.main, 'The tag is yours.');
  t.equal(screens, 5);
  const user = await app.database.client.user.findFirstOrThrow({ where: { email } });
  t.match(await app.database.client.qrCode.findFirst({ where: { id } }), {
    accountId: user.id,
    status: 'ACTIVE',
    title: 'Green backpack',
  });
  t.equal(await app.database.client.picture.count({ where: { qrCodeId: id } }), 1);
  await send('Green backpack');
  t.equal(browser.path, `/app/claim/${id}?done=claimed`, 'the form was sent twice');

  const late = await signInBrowser(app, await app.createUser());
  await late.open(`/app/claim/${id}`);
  t.match(late.main, 'Somebody has set up this tag already.');
  t.notMatch(late.page.text, 'Green backpack');

  await browser.send('/undo');
  t.equal(browser.path, `/app/claim/${id}?done=undone`);
  t.match(browser.main, 'The tag is given back.');
  t.match(await app.database.client.qrCode.findFirst({ where: { id } }), {
    accountId: maker.id,
    status: 'UNCLAIMED',
  });
  t.equal(await app.database.client.picture.count(), 0);
});

t.test('a signed-in user needs one form, and the code of the packaging where there is one', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const [maker, user] = [await app.createUser(), await app.createUser()];
  const { tags } = await createBatch(app, maker, { count: 1, claim: 'BY_CODE' });
  const browser = await signInBrowser(app, user);
  const id = tags[0]?.qrCodeId ?? '';
  await browser.open(`/app/claim/${id}`);
  const { action, fields } = browser.readForm(`/claim/${id}`);
  const sent = { token: fields.token ?? '', name: 'Bag', claimCode: 'AAAA-AAAA' };
  await browser.open(action, {
    method: 'POST',
    type: 'multipart/form-data; boundary=XX',
    body: encodeMultipartForm(Object.entries(sent).map(([name, value]) => ({ name, value }))),
  });
  t.equal(browser.page.status, 403);
  t.match(browser.main, 'isn’t the code from the packaging');
  t.equal(browser.readForm(`/claim/${id}`).fields.name, 'Bag');
  const nobody = new TestBrowser(app);
  await nobody.open('/app/claim/0123456789abcdef01234567');
  t.equal(nobody.page.status, 404);
});

t.test('no form is displayed for a tag that cannot be claimed', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const [maker, user] = [await app.createUser(), await app.createUser()];
  const { tags } = await createBatch(app, maker, { count: 2 });
  const [deleted, withheld] = tags.map(({ qrCodeId }) => String(qrCodeId));
  await app.call('DELETE', `/api/qrcodes/${deleted}`, { token: maker.accessToken });
  await app.database.client.qrCode.updateMany({
    where: { id: String(withheld) },
    data: { takenDownAt: new Date() },
  });
  const browser = await signInBrowser(app, user);
  for (const [id, status] of [
    [deleted, 404],
    [withheld, 410],
  ] as const) {
    await browser.open(`/app/claim/${id}`);
    t.equal(browser.page.status, status);
    t.notMatch(browser.page.text, 'name="picture"');
  }
});
