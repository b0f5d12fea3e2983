import type { Page } from 'playwright-core';
import { QR_CODE_KINDS } from '../../../src/features/codes/kinds/all-kinds.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
  unfoldForm,
} from '../../browser.ts';
import { PHONE_USER_AGENT } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createPageContent, createPageServer, PIN_FORM } from './page-helper.ts';

const LOST = { message: 'Ran away', reward: '100 EUR', lastSeen: 'Main Street', since: '' };

const PAGES: Record<string, ReturnType<typeof createPageContent>> = {
  ...Object.fromEntries(QR_CODE_KINDS.map(({ kind }) => [kind, createPageContent(kind)])),
  LOST: createPageContent('PET', { isLost: true, lost: LOST }),
  LOCKED: createPageContent('DOCUMENT', {
    profile: { name: 'A' },
    pinForm: { ...PIN_FORM, isDocument: true },
  }),
  UNLOCKED: createPageContent('VCARD', { unlockedVisit: 'x' }),
};

const SETTINGS = [
  { lang: 'en', pages: Object.keys(PAGES) },
  { lang: 'ar', colorScheme: 'dark', pages: Object.keys(PAGES) },
  { lang: 'en', forcedColors: 'active', pages: ['MEDICAL', 'WIFI', 'VCARD', 'LOST', 'MEMORY_TAG'] },
  // 1,280 pixels at 400 %: WCAG 2.2, 1.4.10.
  { lang: 'de', viewport: { width: 320, height: 256 }, pages: ['MEDICAL', 'WIFI', 'LOCKED', 'EVENT'] },
] as const;

/** Width and height of buttons, and the available width, in pixels. */
const sizesOf = (page: Page, selector: string) =>
  page.$$eval(selector, (found) =>
    found.map((each) => {
      const { width, height } = each.getBoundingClientRect();
      return {
        width,
        height,
        containerWidth: (each.closest('section') ?? each).getBoundingClientRect().width,
      };
    }),
  );

t.test('the pages of all kinds are accessible in every setting', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const server = createPageServer((kind) => PAGES[kind] ?? createPageContent(kind));
  t.teardown(() => server.close());
  const base = await server.listen({ host: '127.0.0.1', port: 0 });
  const open = await openBrowser(t);
  for (const { lang, pages, ...setting } of SETTINGS) {
    const page = await open({ ...setting, userAgent: PHONE_USER_AGENT });
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    for (const name of pages) {
      await page.goto(`${base}/s/${name}?lang=${lang}`);
      const what = `${name}, ${lang}, ${JSON.stringify(setting)}`;
      t.same(await findAccessibilityViolations(page), [], what);
      for (const { height } of await sizesOf(page, '.bar a')) t.ok(height >= 48, `${what}: ${height}`);
      await page.evaluate("document.querySelectorAll('.fold').forEach((form) => form.classList.add('open'))");
      t.same(await findAccessibilityViolations(page), [], `${what}, with its forms`);
      t.ok((await measureHorizontalOverflow(page)) <= 0, `${what}: no horizontal overflow`);
      for (const { width, height, containerWidth } of await sizesOf(page, 'a.wide'))
        t.ok(
          height >= 48 && Math.abs(width - containerWidth) < 1,
          `${what}: ${width} of ${containerWidth} × ${height}`,
        );
      for (const { height } of await sizesOf(page, 'button')) t.ok(height >= 48, `${what}: ${height}`);
    }
    t.same(refused, [], 'the policy refuses nothing that the pages need');
    await page.context().close();
  }

  const page = await open({ userAgent: PHONE_USER_AGENT });
  await page.goto(`${base}/s/MEDICAL`);
  const reached: string[] = [];
  await unfoldForm(page, '#write');
  await page.evaluate('scrollTo(0, 0)');
  await page.locator('h1').click();
  for (let times = 0; times < 7; times += 1) {
    await page.keyboard.press('Tab');
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    t.equal(await page.evaluate(outline), 'solid');
    reached.push(
      String(
        await page.evaluate(
          'document.activeElement.href ?? document.activeElement.name ?? document.activeElement.localName',
        ),
      ),
    );
  }
  const keys = ['tel:112', 'tel:+491717654321', 'tel:+4989765432', 'preset', 'message', 'name', 'email'];
  t.same(reached, keys, 'the keyboard follows the reading order');
});

t.test('a printed page is readable and has its code', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const gallery = {
    pictures: [1, 2].map((position) => ({
      id: String(position),
      position,
      caption: null,
      width: 40,
      height: 30,
    })),
    address: '/s/x/pictures',
    ticket: null,
  };
  const pages: typeof PAGES = { ...PAGES, PICTURES: createPageContent('PET', { gallery }) };
  const server = createPageServer((kind) => pages[kind] ?? createPageContent(kind));
  t.teardown(() => server.close());
  const base = await server.listen({ host: '127.0.0.1', port: 0 });
  const page = await (await openBrowser(t))({ colorScheme: 'dark' });
  for (const name of Object.keys(pages)) {
    await page.goto(`${base}/s/${name}?lang=en`);
    t.equal(await page.locator('.paper').isVisible(), false, `${name}: not on the screen`);
    await page.emulateMedia({ media: 'print' });
    // Browsers drop backgrounds: everything must be readable on white.
    const colors = await page.evaluate<number[][]>(
      `[...document.querySelectorAll('main *')].filter((each) => each.checkVisibility() && !each.closest('svg'))
        .map((each) => getComputedStyle(each).color.match(/\\d+/g).slice(0, 3).map(Number))`,
    );
    for (const color of colors) t.ok(Math.min(...color) < 0x60, `${name}: ${color}`);
    t.ok(await page.locator('.paper svg').isVisible(), name);
    t.match(await page.locator('.paper').textContent(), 'https://qr.example.org/s/');
    t.equal(
      await page.locator('nav, form, .bar, .buttons, [loading=lazy]').filter({ visible: true }).count(),
      0,
    );
    await page.emulateMedia({ media: null });
  }
});

t.test(
  'a message is sent with the position of the device, if the finder ticks it',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const server = createPageServer((kind) => createPageContent(kind));
    const sent: string[] = [];
    server.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: unknown, body: unknown) => body,
    );
    server.post('/s/:id/message', (request, reply) => {
      sent.push(String(request.body));
      return reply.type('text/html').send('<p>sent</p>');
    });
    t.teardown(() => server.close());
    const base = await server.listen({ host: '127.0.0.1', port: 0 });
    const open = await openBrowser(t);
    const geolocation = { latitude: 52.5, longitude: 13.4, accuracy: 9 };
    const send = async (options: object, isTicked: boolean) => {
      const page = await open(options);
      await page.goto(`${base}/s/PET?lang=en`);
      await unfoldForm(page, '#write');
      if (isTicked) await page.getByLabel('Also send where I am').check();
      await page.locator('#message').fill('Hello');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      return page;
    };
    const allowed = { geolocation, permissions: ['geolocation'] };
    await (await send(allowed, true)).getByText('sent').waitFor();
    t.match(sent[0], /located=yes.*&latitude=52.5&longitude=13.4&accuracy=9/);
    await (await send(allowed, false)).getByText('sent').waitFor();
    t.match(sent[1], /latitude=&longitude=&accuracy=/);
    const page = await send({}, true);
    await page.getByText('Your browser didn’t share your location.').first().waitFor();
    t.equal(await page.getByLabel('Also send where I am').isChecked(), false);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('sent').waitFor();
    t.match(sent[2], /latitude=&longitude=&accuracy=/, 'the second press sends the message alone');
  },
);

t.test('an open form has the only filled buttons below it', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const { messageForm } = createPageContent('PET');
  const rejectedForm = typeof messageForm === 'object' &&
    messageForm && { ...messageForm, errorMessage: 'Too short' };
  const pages: typeof PAGES = {
    ...PAGES,
    REJECTED: createPageContent('PET', { messageForm: rejectedForm || null }),
  };
  const server = createPageServer((kind) => pages[kind] ?? createPageContent(kind));
  t.teardown(() => server.close());
  const base = await server.listen({ host: '127.0.0.1', port: 0 });
  const open = await openBrowser(t);
  /** Links of the bar that can be seen, and whether one looks like the button that sends. */
  const readBar = async (page: Page, form: string) => ({
    links: await page.$$eval('.bar a, .buttons a', (found) =>
      found.filter((each) => each.checkVisibility()).map((each) => each.getAttribute('href')),
    ),
    filled: await page.evaluate<number>(
      `[...document.querySelectorAll('.bar a, .buttons a')].filter((each) => each.checkVisibility() &&
        getComputedStyle(each).backgroundColor === getComputedStyle(document.querySelector('${form} button')).backgroundColor).length`,
    ),
  });
  for (const javaScriptEnabled of [true, false]) {
    const page = await open({ javaScriptEnabled });
    for (const [name, form, others] of [
      ['PET', '#write', ['#share']],
      ['PET', '#share', ['#write']],
      ['LOST', '#share', ['#write']],
      ['WIFI', '#write', []],
      ['REJECTED', '#write', ['#share']],
    ] as const) {
      await page.goto(`${base}/s/${name}?lang=en`);
      await unfoldForm(page, form);
      t.same(await readBar(page, form), { links: others, filled: 0 }, `${name} ${form}`);
      t.equal(await page.locator(`${form} button`).first().isVisible(), true);
    }
    await page.goto(`${base}/s/PET?lang=en`);
    t.same(
      await readBar(page, '#write'),
      { links: ['#write', '#share'], filled: 1 },
      'while both are folded',
    );
    await page.context().close();
  }
});

t.test(
  'labels, values and buttons keep their distance on a phone',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const server = createPageServer((kind) => PAGES[kind] ?? createPageContent(kind));
    t.teardown(() => server.close());
    const base = await server.listen({ host: '127.0.0.1', port: 0 });
    const page = await (await openBrowser(t))({ viewport: { width: 390, height: 844 } });
    const read = <Value>(script: string) => page.evaluate<Value>(script);
    const box = (selector: string) => `document.querySelector('${selector}').getBoundingClientRect()`;

    await page.goto(`${base}/s/WIFI?lang=en`);
    const labels = await read<number[]>(
      `[...document.querySelectorAll('dt')].slice(0, 2).map((each) => each.getBoundingClientRect())
      .flatMap(({ top, bottom }) => [top, bottom])`,
    );
    t.ok((labels[2] ?? 0) - (labels[1] ?? 0) >= 8, `between labels: ${labels}`);
    t.equal(await page.locator('dd button').getAttribute('class'), '', 'the filled button');
    t.ok((await read<number>(`${box('code + button')}.top - ${box('dd code[data-copy]')}.bottom`)) >= 6);

    await page.goto(`${base}/s/LOCATION?lang=en`);
    t.ok(
      (await read<number>(`${box('code + button')}.top - ${box('main code')}.bottom`)) >= 6,
      'coordinates',
    );
    t.equal(await page.locator('a.wide').count(), 1, 'one button to a map');

    await page.goto(`${base}/s/LOST?lang=de`);
    const distance = `${box('.lost p > span')}.left - ${box('.lost p > .icon')}.right`;
    t.ok((await read<number>(distance)) > 0, 'no text below the icon');
  },
);
