import { QR_CODE_KINDS } from '../../../src/features/codes/kinds/all-kinds.ts';
import type { QrCodeKindDefinition } from '../../../src/features/codes/kinds/kind-definition.ts';
import { getQrCodeKindByName } from '../../../src/features/codes/qrcode.view.ts';
import { renderProfileFieldsSection } from '../../../src/features/finder/sections/content.ts';
import { EMPTY_FORM_STATE } from '../../../src/features/finder/sections/forms.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../src/shared/i18n/locales.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';
import { createDataArbitrary } from '../codes/kinds/arbitrary-data.ts';
import { createPageContent, PIN_FORM, renderPage, sortByDisplayOrder } from './page-helper.ts';

const TAG = {
  id: '0',
  accountId: '0',
  qrCodeId: '0',
  externalId: null,
  metadata: {},
  subject: 'PERSON',
  bornOn: '1931',
  diedOn: null,
  version: 1,
  guestBookOpen: true,
  anniversaryReminders: true,
  createdAt: new Date(),
  updatedAt: new Date(),
};

const HOSTILE = ['<script>a()</script>', '"><img src=x onerror=a()>', "' onclick='a()", 'javascript:a()'];

/** Elements with attribute names, without values. */
const getMarkupShape = (page: string) =>
  [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""').replace(/ checked/, ''));

const KNOWN = new Set(
  [
    ...[
      '!doctype html',
      'html',
      'head',
      'meta',
      'title',
      'link',
      'style',
      'body',
      'header',
      'main',
      'footer',
      'nav',
      'h1',
      'h2',
    ],
    ...[
      'p',
      'a',
      'div',
      'section',
      'dl',
      'dt',
      'dd',
      'ul',
      'li',
      'b',
      'bdi',
      'strong',
      'span',
      'time',
      'code',
    ],
    ...[
      'form',
      'input',
      'label',
      'button',
      'fieldset',
      'legend',
      'blockquote',
      'textarea',
      'script',
      'svg',
      'path',
      'details',
      'summary',
    ],
  ].flatMap((name) => [name, `/${name}`]),
);

/** Find markup that only content of an owner can have caused. */
function findDefects(page: string): string[] {
  const shape = getMarkupShape(page);
  const tags = shape.filter(
    (tag) => !KNOWN.has((/^<([^\s>]*( html)?)/.exec(tag)?.[1] ?? '').replace(/\/$/, '')),
  );
  const handlers = shape.filter((tag) => /\s(?:on\w+|style|srcdoc|formaction)\s*=?/i.test(tag));
  const links = [...page.matchAll(/(?:href|src|action)="([^"]*)"/g)]
    .map(([, link = '']) => link)
    .filter(
      (link) =>
        !/^(?:#write$|#share$|\/s\/|data:image\/svg\+xml;base64,[\w+/=]+$|https?:\/\/|tel:\+?\d*$|mailto:[^\s<>]+$|sms:\+?\d*|geo:-?[\d.]+,-?[\d.]+$)/i.test(
          link,
        ),
    );
  const scripts = page.replace(/<script src="\/s\/(?:copy|position)\.js" defer>/g, '').includes('<script');
  return [...tags, ...handlers, ...links, ...(scripts ? ['a script'] : [])];
}

t.test('content never becomes markup, and only http URLs become links', async (t) => {
  for (const kind of QR_CODE_KINDS) {
    const data = createDataArbitrary(kind).chain((valid) =>
      fc.constantFrom(null, ...HOSTILE).map((hostile) => fillWithHostileText(valid, hostile)),
    );
    await fc.assert(
      fc.asyncProperty(data, fc.boolean(), async (profile, isLost) => {
        const words = HOSTILE.join(' ');
        const lost = { message: words, reward: words, lastSeen: words, since: '' };
        const page = await renderPage(
          createPageContent(kind.kind, { profile: sortByDisplayOrder(kind.kind, profile), isLost, lost }),
        );
        t.same(findDefects(page), [], kind.kind);
      }),
      { numRuns: 15 },
    );
  }
  for (const words of HOSTILE) {
    const tag = {
      ...TAG,
      name: words,
      epitaph: words,
      story: words,
      places: [{ label: words, kind: 'GRAVE' }],
    };
    const entries = [{ name: words, message: words, createdAt: new Date() }];
    const sign = {
      action: '/s/x/guest-book',
      visit: 'x',
      ...EMPTY_FORM_STATE,
      draft: { message: words, name: words },
    };
    const memorial = { tag, entries, hasMore: true };
    t.same(
      findDefects(await renderPage(createPageContent('MEMORY_TAG', { memorial, guestBookForm: sign }))),
      [],
      words,
    );
  }
  t.not(findDefects('<img src="x">').length, 0);
  t.not(findDefects('<a href="javascript:a()">').length, 0);
  t.not(findDefects('<p onclick="">').length, 0);
});

/** Put hostile text into every field, including values that the API would reject; rows may be older than its rules. */
function fillWithHostileText(
  value: Record<string, unknown>,
  hostile: string | null,
): Record<string, unknown> {
  if (hostile === null) return value;
  return JSON.parse(JSON.stringify(value), (_key, part) => (typeof part === 'string' ? hostile : part));
}

interface Schema {
  enum?: readonly string[];
  format?: string;
  pattern?: string;
  type?: string;
  maxLength?: number;
  maximum?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
}

function createLongestValue(schema: Schema, letter: string): unknown {
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, part]) => [name, createLongestValue(part, letter)]),
    );
  if (schema.items)
    return Array.from({ length: schema.maxItems ?? 1 }, () => createLongestValue(schema.items ?? {}, letter));
  if (schema.enum) return schema.enum.at(-1);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'number' || schema.type === 'integer') return schema.maximum;
  if (schema.format === 'date') return '1999-09-30';
  if (schema.format === 'date-time') return '2027-06-12T18:00:00+02:00';
  if (schema.pattern?.startsWith('^(?=')) return `+${'123456789 (12) '.repeat(2)}`;
  if (schema.pattern === '^[A-Z]{2}$') return 'DE';
  return letter.repeat(schema.maxLength ?? 40);
}

function createLongestGallery(letter: string) {
  const address = '/s/0123456789abcdef01234567/pictures';
  const id = '0123456789abcdef01234567';
  const size = { width: 4_096, height: 4_096 };
  const pictures = Array.from({ length: 10 }, (_, index) => ({
    id,
    position: index + 1,
    caption: letter.repeat(300),
    ...size,
  }));
  return { pictures, address, ticket: `1800000000.${'x'.repeat(22)}` };
}

t.test('a page is below 20 kB in every language, whatever it contains', async (t) => {
  const fillFields = (kind: QrCodeKindDefinition, letter: string) =>
    sortByDisplayOrder(
      kind.kind,
      createLongestValue(JSON.parse(JSON.stringify(kind.schema)), letter) as Record<string, unknown>,
    );
  for (const kind of QR_CODE_KINDS)
    for (const locale of LOCALES.values())
      for (const letter of ['&', '犬']) {
        const lost = {
          message: letter.repeat(1_000),
          reward: letter.repeat(200),
          lastSeen: letter.repeat(200),
          since: '',
        };
        const pin = {
          ...PIN_FORM,
          isDocument: kind.kind === 'DOCUMENT',
          errorMessage: translate(locale, 'finder.pinPageExpired'),
        };
        const page = await renderPage(
          createPageContent(kind.kind, {
            profile: fillFields(kind, letter),
            isLost: true,
            lost,
            pinForm: pin,
            gallery: createLongestGallery(letter),
          }),
          locale.tag,
        );
        const bytes = Buffer.byteLength(page);
        t.ok(bytes < 20_000, `${kind.kind}, ${locale.tag}: ${bytes} bytes`);
      }
  const rich = QR_CODE_KINDS.find(({ kind }) => kind === 'MEDICAL') as QrCodeKindDefinition;
  const page = await renderPage(createPageContent('MEDICAL', { profile: fillFields(rich, '犬') }));
  t.match(page, 'didn’t fit on this page');
  t.match(page, 'href="tel:', 'phone numbers are not omitted');
});

t.test('omits a link that does not fit, because a part of it would lead elsewhere', async (t) => {
  const url = `https://example.com.${'host.'.repeat(20)}org/${'a'.repeat(1_800)}`;
  for (const [kind, data] of [
    ['EVENT', { url }],
    ['PHONE', { phone: '+49 170 1234567' }],
    ['EMAIL', { email: `${'a'.repeat(60)}@example.com` }],
  ] as const) {
    const definition = getQrCodeKindByName(kind);
    for (let bytes = 0; bytes < 4_000; bytes += 20) {
      const markup =
        renderProfileFieldsSection(definition, data, { bytes, locale: DEFAULT_LOCALE })?.markup ?? '';
      for (const [, linkText] of markup.matchAll(/<a [^>]*>([^<]*)</g))
        t.equal(linkText, Object.values(data)[0]);
      t.notMatch(markup, '…', `${kind}, ${bytes} bytes`);
    }
  }
  const text = renderProfileFieldsSection(
    getQrCodeKindByName('PHONE'),
    { notes: 'a'.repeat(500) },
    { bytes: 200, locale: DEFAULT_LOCALE },
  );
  t.match(text?.markup, 'a…', 'text is truncated');
});
