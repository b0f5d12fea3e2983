import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { toSupportedLocale } from '../../../src/shared/i18n/choose-locale.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
  unfoldForm,
} from '../../browser.ts';
import { generateAbsentId, PHONE_USER_AGENT } from '../../helper.ts';
import { t } from '../../tap.ts';
import { listMailsCausedBy } from '../identity/accounts/helper.ts';
import { startScans } from '../scans/helper.ts';

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2);

/** Delay that the bot check accepts. */
const HUMAN_DELAY_MS = 2_100;

t.test('the pages of codes are accessible in every setting', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startScans(t, { PUBLIC_BASE_URL: base });
  const { app, call, code, owner } = test;
  await app.listen({ host: '127.0.0.1', port });
  const open = await openBrowser(t);
  const token = owner.accessToken;
  const pausedCode = async () => {
    const id = await code();
    await call('PUT', `/api/qrcodes/${id}`, { token, body: { status: 'PAUSED' } });
    return id;
  };
  /** Run axe on a page; axe itself needs script. */
  const checkPage = async (t: Test, page: Page, what: string, hasScript = true) => {
    if (hasScript) t.same(await findAccessibilityViolations(page), [], what);
    t.ok((await measureHorizontalOverflow(page)) <= 0, `${what}: no horizontal overflow`);
  };

  await t.test('checks the first page in all settings, the others in one each', async (t) => {
    const allergies = [{ name: LONG, reaction: 'Anaphylaxis', severity: 'LIFE_THREATENING' }];
    const contacts = [{ name: 'Ada', phone: '+49 170 1234567', email: 'ada@example.org' }];
    const medical = await code({
      kind: 'MEDICAL',
      data: { name: LONG, bloodType: 'AB-', allergies, emergencyContacts: contacts },
      visibility: { name: 'PUBLIC', allergies: 'PUBLIC', emergencyContacts: 'PUBLIC' },
    });
    const pin = await code({ pin: '0047' });
    const lost = await code();
    await call('POST', `/api/qrcodes/${lost}/lost`, { token, body: { reward: '100 EUR' } });
    const network = await code({ kind: 'WIFI', data: { ssid: 'Guests', password: 'secret words' } });
    const url = 'https://xn--mnchen-3ya.example:8443/';
    const onward = await code({ kind: 'URL', data: { url }, showsPage: true });
    const report = `${lost}/report`;
    const ids = [medical, pin, lost, await pausedCode(), network, generateAbsentId(), onward, report];
    const settings = [
      { locale: 'en' },
      { locale: 'de', colorScheme: 'dark' },
      { locale: 'ar', javaScriptEnabled: true },
      { locale: 'hi', forcedColors: 'active' },
      // 1,280 pixels at 400 %: WCAG 2.2, 1.4.10.
      { locale: 'ja', viewport: { width: 320, height: 256 } },
    ] as const;
    for (const [index, id] of ids.entries()) {
      for (const setting of index === 0 ? settings : [settings[index % settings.length] ?? {}]) {
        const page = await open({ ...setting, userAgent: PHONE_USER_AGENT });
        const requests: string[] = [];
        page.on('request', (request) => requests.push(request.url()));
        await page.goto(`${base}/s/${id}`);
        await checkPage(t, page, `${index}, ${JSON.stringify(setting)}`);
        // Paused and unknown codes have no script.
        const others = requests.filter((url) => !/\/s\/(?:copy|position)\.js(?:\?lang=\w+)?$/.test(url));
        t.same(others, [`${base}/s/${id}`], 'one request, and a small file with script');
        await page.context().close();
      }
    }
  });

  for (const [tag, colorScheme] of [
    ['de', 'dark'],
    ['ja', 'light'],
  ] as const)
    await t.test(`an error or result is shown and has the keyboard focus (${tag})`, async (t) => {
      const locale = toSupportedLocale(tag);
      const id = await code({ pin: '0047' });
      const page = await open({ locale: tag, colorScheme, userAgent: PHONE_USER_AGENT });
      const answered = async (what: string, said: string | undefined) => {
        const focused = "document.querySelector(':focus')?.textContent";
        // The browser moves the focus when it draws the page.
        await page.waitForFunction(`${focused}?.includes(${JSON.stringify(said)})`).catch(() => {});
        t.match(await page.evaluate<string>(focused), said ?? '-', what);
        await checkPage(t, page, `${what}, ${tag}`);
      };
      for (const [what, field, said] of [
        ['an invalid PIN', 'aaaa', translate(locale, 'finder.pinInvalid')],
        ['a wrong PIN', '9999', translate(locale, 'finder.pinWrong')],
      ] as const) {
        await page.goto(`${base}/s/${id}`);
        // Disable the client-side validation.
        await page.evaluate("document.getElementById('pin').removeAttribute('pattern')");
        await page.locator('#pin').fill(field);
        await page.locator('#pin').press('Enter');
        await answered(what, said);
      }
      await page.goto(`${base}/s/${id}`);
      await unfoldForm(page, '#write');
      await checkPage(t, page, `the form, ${tag}`);
      await page.locator('#write button').click();
      await answered('an empty message', translate(locale, 'conversation.messageMissing'));
      await unfoldForm(page, '#share');
      await page.locator('#share button:not([type])').click();
      await answered('no place', translate(locale, 'finder.shareEmpty'));
      await page.locator('#place').fill('At the gate');
      await page.locator('#share button:not([type])').click();
      await answered('a place', translate(locale, 'finder.shareDone'));
      await page.goto(`${base}/s/${id}`);
      await call('PUT', `/api/qrcodes/${id}`, { token, body: { status: 'PAUSED' } });
      await unfoldForm(page, '#write');
      await page.locator('#write button').click();
      await answered('a code that is paused meanwhile', translate(locale, 'conversation.messageMissing'));
      for (const path of ['test/x', `${id}/c/${generateAbsentId()}`]) {
        await page.goto(`${base}/s/${path}`);
        await checkPage(t, page, `${path}, ${tag}`);
      }
      await page.context().close();
    });

  for (const [locale, javaScriptEnabled, isPaused] of [
    ['he', false, false],
    ['de', true, false],
    ['ja', true, true],
    ['fr', false, true],
  ] as const) {
    const script = javaScriptEnabled ? 'with' : 'without';
    const state = isPaused ? 'paused' : 'active';
    const name = `finder and owner exchange messages ${script} script (${state} code, ${locale})`;
    await t.test(name, async (t) => {
      const id = isPaused ? await pausedCode() : await code();
      const checkPageHere = (page: Page, what: string) => checkPage(t, page, what, javaScriptEnabled);
      const finder = await open({
        locale,
        javaScriptEnabled,
        userAgent: PHONE_USER_AGENT,
        colorScheme: 'dark',
      });
      await finder.goto(`${base}/s/${id}`);
      await unfoldForm(finder, '#write');
      await finder.locator(`input[value="${isPaused ? 'FOUND' : 'ANIMAL_FOUND'}"]`).check();
      await finder.locator('#message').fill('In the park');
      await finder.waitForTimeout(HUMAN_DELAY_MS);
      const [mail] = await listMailsCausedBy(test, owner.email, async () => {
        await finder.locator('#write button').click();
        await checkPageHere(finder, 'sent');
        // Submits the form again.
        await finder.reload();
      });
      await finder.locator('a.act').first().click();
      t.match(finder.url(), new RegExp(`^${base}/s/${id}/c/[0-9a-f]{24}$`), 'a clean address');
      t.match(await finder.locator('.own .text').allTextContents(), [/In the park/], 'once');
      t.equal(await finder.locator('.own').count(), 1);
      await checkPageHere(finder, 'the conversation');

      const answering = await open({ locale: 'fr', javaScriptEnabled });
      await answering.goto(/https?:\S+\/c\/\S+/.exec(mail?.text ?? '')?.[0] ?? '');
      t.match(await answering.locator('.other .text').textContent(), 'In the park');
      await checkPageHere(answering, 'the owner’s side');
      await answering.locator('#message').fill('I am on my way.');
      await answering.locator('form button').first().click();
      t.match(await answering.locator('.own#answer .text').textContent(), 'I am on my way.');
      await answering.goBack();
      await answering.goForward();
      t.equal(await answering.locator('.own').count(), 1, 'going back and forth sends nothing again');

      await finder.locator('p a').first().click();
      t.match(await finder.locator('.other .text').textContent(), 'I am on my way.');
      t.notMatch(await finder.content(), owner.email);
      for (const page of [finder, answering]) await page.context().close();
    });
  }

  await t.test('the password of a network can be copied, and the page says so', async (t) => {
    const id = await code({ kind: 'WIFI', data: { ssid: 'Guests', password: 'secret words' } });
    for (const isSecure of [true, false]) {
      const page = await open({ locale: 'en', permissions: ['clipboard-read', 'clipboard-write'] });
      if (!isSecure)
        await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })');
      await page.goto(`${base}/s/${id}`);
      const button = page.getByRole('button', { name: 'Copy password' });
      await button.click();
      await page.getByRole('status').getByText('Copied').waitFor();
      await checkPage(t, page, 'copied');
      await page.goto(`${base}/s/${await code()}`);
      await unfoldForm(page, '#write');
      await page.locator('#message').press('ControlOrMeta+V');
      t.equal(await page.locator('#message').inputValue(), 'secret words', `secure: ${isSecure}`);
      await page.context().close();
    }
    const plain = await open({ locale: 'en', javaScriptEnabled: false });
    await plain.goto(`${base}/s/${id}`);
    t.equal(await plain.getByText('Copy password').count(), 0, 'without script there is no button');
    t.equal(await plain.getByText('secret words').count(), 1);
    await plain.context().close();
  });

  await t.test(
    'a conversation shows local times, and updates by itself without losing typed text',
    async (t) => {
      const id = await code();
      const page = await open({ locale: 'en', timezoneId: 'Asia/Kolkata', userAgent: PHONE_USER_AGENT });
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      await page.goto(`${base}/s/${id}`);
      await unfoldForm(page, '#write');
      await page.locator('#message').fill('In the park');
      await page.waitForTimeout(HUMAN_DELAY_MS);
      await page.locator('#write button').click();
      await page.clock.install();
      await page.locator('a.act').first().click();
      const sentAt = await page.locator('.own time').first().getAttribute('datetime');
      const local = new Date(sentAt ?? '').toLocaleTimeString('en', {
        hour: 'numeric',
        minute: '2-digit',
        timeZone: 'Asia/Kolkata',
      });
      const time = await page.locator('.own time').first().textContent();
      t.match(time?.replaceAll('\u202f', ' '), local.replaceAll('\u202f', ' '), 'in the zone of the browser');
      t.notMatch(time, /UTC/);

      const polls: string[] = [];
      page.on('request', (request) => request.url().endsWith('/updates') && polls.push(request.url()));
      await page.clock.fastForward(16_000);
      await page.waitForResponse(/updates$/);
      t.equal(polls.length, 1);
      await page.locator('#message').fill('Half a sent');
      const conversation = `/api/conversations/${page.url().split('/').at(-1)}`;
      await call('POST', `${conversation}/messages`, { token, body: { message: 'I am on my way.' } });
      await page.clock.fastForward(30_000);
      await page.locator('.other').waitFor();
      t.equal(await page.locator('.other .text').textContent(), 'I am on my way.');
      t.notMatch(await page.locator('.messages').textContent(), /UTC/);
      await page.getByRole('status').getByText('New message').waitFor();
      t.equal(await page.locator('.messages li').count(), 2, 'nothing twice');
      t.match(await page.locator('.own').textContent(), /Read /, 'the state of known messages is updated');
      t.equal(await page.locator('#message').inputValue(), 'Half a sent');
      await checkPage(t, page, 'an updated conversation');

      await call('POST', `${conversation}/end`, { token });
      await page.clock.fastForward(16_000);
      await page.getByRole('status').getByText('This conversation has ended.').waitFor();
      t.equal(await page.locator('#message').inputValue(), 'Half a sent', 'to be copied');
      t.ok(await page.locator('form button').first().isDisabled());
      const count = polls.length;
      await page.clock.fastForward('02:00:00');
      t.equal(polls.length, count, 'and nothing is polled any more');
      t.same(problems, [], 'the policy refuses nothing');
      await page.context().close();
    },
  );
});
