import type { Test } from 'tap';
import { findFreePort } from '../../../../src/start/find-free-port.ts';
import { BROWSER_SKIP_REASON, openBrowser } from '../../../browser.ts';
import { t } from '../../../tap.ts';
import { BERLIN_POSITION } from '../../scans/helper.ts';
import type { TestBrowser } from '../browser.ts';
import { startInbox } from '../inbox-helper.ts';
import {
  comparePicture,
  computeFingerprint,
  MAX_PICTURE_BYTES,
  readFingerprint,
  writeFingerprint,
  writePicture,
} from './picture-files.ts';

const isUpdate = process.env.UPDATE_PICTURES === '1';

/** Their result depends on the fonts of the machine. */
const SKIP_REASON =
  BROWSER_SKIP_REASON || (process.env.PAGES || isUpdate ? false : 'npm run test:pages compares them');

const WINDOW = { width: 390, height: 844 };

t.test('ten key pages look as they did', { skip: SKIP_REASON }, async (t) => {
  const { pages, owner, admin, base } = await startKeyPages(t);
  const open = await openBrowser(t);
  const page = await open({ viewport: WINDOW, locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const fingerprint = await computeFingerprint(page);
  if (isUpdate) await writeFingerprint(fingerprint);
  const isComparable = fingerprint === (await readFingerprint());
  const skip = !isComparable && 'they were taken with other fonts or another Chromium';
  await t.test('each differs in few pixels', { skip }, async (t) => {
    for (const [name, path, visitor] of pages) {
      const { cookies } = { owner, admin, nobody: { cookies: new Map<string, string>() } }[visitor];
      await page.context().clearCookies();
      await page.context().addCookies([...cookies].map(([key, value]) => ({ name: key, value, url: base })));
      await page.goto(base + path);
      await page.evaluate(FIX_CHANGING_PARTS);
      const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
      if (isUpdate) t.ok((await writePicture(name, screenshot)) <= MAX_PICTURE_BYTES, name);
      else t.equal(await comparePicture(name, screenshot), null, name);
    }
  });
});

type KeyPage = readonly [name: string, path: string, visitor: 'nobody' | 'owner' | 'admin'];

async function startKeyPages(t: Test) {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startInbox(t, { PUBLIC_BASE_URL: base });
  const {
    app,
    call,
    path,
    owner: { accessToken: token },
  } = test;
  await app.listen({ host: '127.0.0.1', port });
  const car = await test.code({ kind: 'CAR', title: 'Blue car', data: { name: 'Blue car', make: 'Volvo' } });
  await call('POST', `/api/qrcodes/${car}/reports`, { body: { category: 'FRAUD' } });
  const suitcase = await test.code({
    kind: 'LUGGAGE',
    title: 'Suitcase',
    data: { name: 'Ada', color: 'Blue, hard shell' },
  });
  const rex = await test.code();
  await call('POST', `/api/qrcodes/${suitcase}/lost`, { token, body: { reward: '50 EUR' } });
  const { body: opened } = await test.write(
    rex,
    { preset: 'ANIMAL_FOUND', message: 'He is in the park near the fountain.', name: 'Eva' },
    { position: BERLIN_POSITION },
  );
  const owner: TestBrowser = await test.signIn();
  const admin = await test.signIn(await test.createUser({ role: 'ADMIN' }));
  const pages: readonly KeyPage[] = [
    ['start', '/', 'nobody'],
    ['sign-in', '/app/sign-in', 'nobody'],
    ['home', path, 'owner'],
    ['codes', `${path}/codes`, 'owner'],
    ['code', `${path}/codes/${rex}`, 'owner'],
    ['content', `${path}/codes/${rex}/content`, 'owner'],
    ['print', `${path}/codes/${rex}/print`, 'owner'],
    ['inbox', `${path}/inbox/${opened.id}`, 'owner'],
    ['settings', `${path}/settings`, 'owner'],
    ['staff-reports', '/app/staff/reports', 'admin'],
  ];
  return { pages, owner, admin, base };
}

/** Times, numbers, addresses, and symbols differ with each run. */
const FIX_CHANGING_PARTS = `(() => {
  for (const element of document.querySelectorAll('time')) element.textContent = 'Jan 2, 2026, 11:00 AM';
  for (const element of document.querySelectorAll('.number')) element.textContent = '0123-4567-89AB';
  for (const element of document.querySelectorAll('img,iframe,.map svg')) element.style.visibility = 'hidden';
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    texts.currentNode.data = texts.currentNode.data
      .replace(/http:\\/\\/127\\.0\\.0\\.1:[^\\s]+/g, 'https://qr.example.org/s/0123456789')
      .replace(/127\\.0\\.0\\.1:[0-9]+/g, 'qr.example.org')
      .replace(/[a-zA-Z0-9]{12}@example\\.org/g, 'ada@example.org')
      .replace(/[A-Z][a-z]+ [0-9]{1,2}, [0-9]{4}(, [0-9]{1,2}:[0-9]{2}\\s[AP]M)?/g, 'January 2, 2026');
  for (const input of document.querySelectorAll('input'))
    if (/@example|127\\.0\\.0\\.1/.test(input.value)) input.value = 'ada@example.org';
})()`;
