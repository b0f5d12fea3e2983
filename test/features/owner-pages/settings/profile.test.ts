import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { encodeMultipartForm } from '../../documents/upload.ts';
import { ONE_PIXEL_PNG } from '../../memory-tags/gallery-helper.ts';
import type { TestBrowser } from '../browser.ts';
import { openTab, signIn } from './helper.ts';

const PROFILE = {
  firstName: 'Ada',
  lastName: 'King',
  accountType: 'INDIVIDUAL',
  organizationName: '',
  phone: '',
  language: 'en',
  timeZone: 'Europe/Lisbon',
};

/** Send the form of the page with a picture, as a browser does. */
function sendWithPicture(browser: TestBrowser, fields: Record<string, string>, picture: Buffer) {
  const { action = '', hidden = {} } = browser.findForm('/profile') ?? {};
  const parts = Object.entries({ ...hidden, ...fields }).map(([name, value]) => ({ name, value }));
  const body = encodeMultipartForm([
    ...parts,
    { name: 'profilePicture', fileName: 'ada.png', value: picture },
  ]);
  return browser.open(action, { method: 'POST', body, type: 'multipart/form-data; boundary=XX' });
}

t.test('the profile is changed with its picture; each error stands at its field', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings`;
  await browser.open(path);
  t.match(browser.main, user.email);
  await browser.send('/profile', {
    ...PROFILE,
    lastName: ' ',
    phone: 'call me',
    accountType: 'ORGANIZATION',
  });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="lastName-error">Please fill this in\./);
  t.match(browser.main, /id="organizationName-error">Please fill this in\./);
  t.match(browser.main, /id="phone-error">This is not a phone number\./);
  t.match(browser.main, 'value="call me"', 'what was entered is still there');
  await sendWithPicture(browser, PROFILE, Buffer.from('no picture'));
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'We can’t read this picture.');
  await sendWithPicture(browser, { ...PROFILE, phone: '+351 21 000 0000', language: 'pt' }, ONE_PIXEL_PNG);
  t.equal(browser.path, `${path}?done=profile`);
  t.match(browser.page.text, 'lang="pt"', 'the pages are in the language of the account');
  t.match(browser.main, /src="[^"]*\/uploads\/profile-pictures\//);
  const row = await test.database.client.user.findUniqueOrThrow({ where: { id: user.id } });
  t.match(row, { lastName: 'King', language: 'pt', timeZone: 'Europe/Lisbon' });
});

t.test('a form with a file needs the token of the page', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  await browser.open(`/app/${user.id}/settings`);
  await sendWithPicture(browser, { ...PROFILE, token: 'forged' }, ONE_PIXEL_PNG);
  t.equal(browser.page.status, 403);
  const row = await test.database.client.user.findUniqueOrThrow({ where: { id: user.id } });
  t.match(row, { lastName: 'Lovelace', profilePicture: null });
});

t.test('two changes of a profile are shown field by field', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const tab = openTab(test, browser);
  const path = `/app/${user.id}/settings`;
  await browser.open(path);
  await tab.open(path);
  await tab.send('/profile', { ...PROFILE, lastName: '<Byron>' });
  await browser.send('/profile', PROFILE);
  t.equal(browser.page.status, 412);
  t.match(browser.main, 'Your profile was changed elsewhere in the meantime.');
  t.match(browser.page.text, 'Stored now: <bdi>&#60;Byron&#62;</bdi>');
  t.equal(browser.main.split('Stored now').length - 1, 1, 'only at fields that differ');
  await browser.send('/profile', PROFILE);
  t.equal(browser.path, `${path}?done=profile`);
});
