import { QR_CODE_KINDS } from '../../../src/features/codes/kinds/all-kinds.ts';
import {
  getMessagePresetsForCodeKind,
  MESSAGE_PRESETS,
} from '../../../src/features/conversations/presets.rules.ts';
import { listPageSections, listQrCodePageParts } from '../../../src/features/finder/layout.rules.ts';
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../../../src/shared/i18n/locales.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { t } from '../../tap.ts';
import { createPageContent, PIN_FORM, renderPage, sortByDisplayOrder } from './page-helper.ts';

const TESTED_LOCALES = ['en', 'ar'].map((tag) => LOCALES.get(tag) as Locale);

/** Headings and texts of each kind's example page, from top to bottom. */
const ORDER: Record<string, (locale: Locale) => string[]> = {
  MEDICAL: (locale) => [
    ...[`<h1>${translate(locale, 'finder.emergencyTitle')}</h1>`, 'Maria K.', 'tel:112'],
    ...['<li><div><bdi><b>', 'Penicillin', `⚠</span> ${translate(locale, 'values.LIFE_THREATENING')}`],
    ...['Anaphylaxis', translate(locale, 'finder.bloodNegative', { type: '<bdi dir="ltr">O\u2212</bdi>' })],
    // The first contact is called from the card, the others further down.
    ...[
      'tel:+491717654321',
      translate(locale, 'finder.emergencyInternational', { number: '112' }),
      'Insulin lispro',
    ],
    ...['Type 1 diabetes', 'datetime="1971"', 'Insulin pump', 'Carries glucose'],
    ...[translate(locale, 'finder.callTitle'), 'tel:+4989765432', translate(locale, 'finder.detailsTitle')],
    ...[
      'datetime="1958-09-30"',
      '168',
      translate(locale, 'conversation.writeTitle', { recipient: 'carer' }),
      translate(locale, 'finder.shareTitle'),
    ],
  ],
  PET: (locale) => [
    ...[
      '<h1>Rex</h1>',
      'Chicken',
      translate(locale, 'finder.callTitle'),
      'tel:+491701234567',
      'tel:+49301234567',
    ],
    ...[
      'Please give him water',
      'Friendly, but afraid',
      'Rabies',
      translate(locale, 'conversation.writeTitle', { recipient: 'other' }),
      translate(locale, 'finder.shareTitle'),
    ],
  ],
  LUGGAGE: (locale) => [
    ...['<h1>Green backpack</h1>', 'Thank you for finding me', '50 EUR', 'tel:+41791234567'],
    ...[
      'mailto:lena@example.com',
      'Deuter',
      'blue notebook',
      translate(locale, 'conversation.writeTitle', { recipient: 'other' }),
    ],
  ],
  CAR: () => [
    '<h1>Blue Golf</h1>',
    'Am I in your way',
    'High-voltage',
    'tel:+491601112223',
    'B-AB',
    'Allianz',
  ],
  IDENTIFICATION: (locale) => [
    '<h1>Tomás',
    'tel:+351913000111',
    'tel:+351912345678',
    'Volunteer',
    '1990',
    translate(locale, 'conversation.writeTitle', { recipient: 'carer' }),
  ],
  MEMORY_TAG: (locale) => [
    ...[
      translate(locale, 'finder.inMemory'),
      '<h1>Katharina',
      'datetime="1931-05-17"',
      'datetime="2024-11-02"',
      'She planted trees',
    ],
    ...[
      'Teacher, gardener',
      'https://example.com/garden',
      'Eva Brandt',
      translate(locale, 'conversation.writeTitle', { recipient: 'family' }),
    ],
  ],
  DOCUMENT: (locale) => [
    ...[
      '<h1>Rental contract</h1>',
      '2029-01-31',
      'Hausverwaltung Nord',
      'MV-4711',
      translate(locale, 'conversation.writeTitle', { recipient: 'other' }),
    ],
  ],
  URL: (locale) => [
    '<h1>',
    translate(locale, 'finder.redirectLink', { host: '{' }).split('{')[0] ?? '',
    translate(locale, 'conversation.writeTitle', { recipient: 'other' }),
  ],
  WIFI: (locale) => [
    ...[
      translate(locale, 'fields.ssid'),
      '<code>Café Morgen</code>',
      translate(locale, 'fields.password'),
      `data-copy="${translate(locale, 'finder.copyPassword')}"`,
      '>two cups; no sugar</code>',
    ],
    ...[
      translate(locale, 'fields.security'),
      translate(locale, 'finder.wifiText'),
      '<svg',
      'Best near the window',
    ],
  ],
  VCARD: (locale) => [
    ...[
      '<h1>Dr. Sofía Núñez</h1>',
      `Architect${translate(locale, 'finder.listSeparator')}Núñez &#38; Partner</p>`,
      translate(locale, 'finder.addContact'),
      translate(locale, 'finder.writeMail'),
      'tel:+34600123456',
    ],
    ...['mailto:sofia@example.com', 'https://example.com', 'Calle Mayor'],
  ],
  TEXT: (locale) => [
    '<p class="text">Water me on',
    translate(locale, 'conversation.writeTitle', { recipient: 'other' }),
  ],
  EMAIL: (locale) => [
    'mailto:booking@example.com?subject=A%20table',
    translate(locale, 'finder.writeMail'),
    'A table for two',
  ],
  PHONE: () => ['<h1>Caretaker</h1>', 'tel:+49301234567', 'Weekdays'],
  SMS: (locale) => [
    'sms:+491701234567?&#38;body=I%20would',
    translate(locale, 'finder.writeSms'),
    'I would like',
  ],
  LOCATION: (locale) => [
    ...[
      '<h1>Brandenburg Gate',
      `data-copy="${translate(locale, 'finder.copyCoordinates')}"`,
      '>52.51628, 13.37770</code>',
      'https://www.openstreetmap.org/',
      translate(locale, 'finder.mapLink'),
    ],
    ...['geo:52.516275,13.377704', translate(locale, 'ownerLink.openMap'), 'north side'],
  ],
  EVENT: (locale) => ['<h1>Summer party', 'Courtyard', 'event.ics', translate(locale, 'finder.addEvent')],
};

/** Find the first text that does not follow the previous one. */
function findOutOfOrder(page: string, marks: readonly string[]): string | null {
  let from = page.indexOf('<main>');
  for (const mark of marks) {
    const at = page.indexOf(mark, from);
    if (at < 0) return mark;
    from = at;
  }
  return null;
}

t.test('a page orders its parts by kind, in each writing direction', async (t) => {
  t.same(Object.keys(ORDER).toSorted(), QR_CODE_KINDS.map(({ kind }) => kind).toSorted());
  for (const [kind, marks] of Object.entries(ORDER))
    for (const locale of TESTED_LOCALES) {
      const page = await renderPage(createPageContent(kind), locale.tag);
      t.equal(findOutOfOrder(page, marks(locale)), null, `${kind}, ${locale.tag}`);
    }
});

t.test('orders the fields of each kind, urgent ones directly after the name', async (t) => {
  const first = Object.fromEntries(
    QR_CODE_KINDS.map(({ kind, defaultVisibility }) => [kind, Object.keys(defaultVisibility).slice(0, 11)]),
  );
  t.same(first.MEDICAL, [
    ...['name', 'bloodType', 'allergies', 'medications', 'conditions', 'implants', 'pregnant'],
    ...['advanceDirective', 'notes', 'bornOn', 'sex'],
  ]);
  t.same(first.PET?.slice(0, 5), ['name', 'allergies', 'medicalNotes', 'medications', 'owner']);
  t.same(first.CAR?.slice(0, 5), ['name', 'message', 'propulsion', 'rescueNotes', 'owner']);
  t.same(first.LUGGAGE?.slice(0, 4), ['name', 'message', 'reward', 'owner']);
  for (const { kind, defaultVisibility, urgent = [], example } of QR_CODE_KINDS) {
    const order = Object.keys(defaultVisibility);
    t.same(order.slice(1, 1 + urgent.length), urgent, kind);
    const shuffled = Object.fromEntries(Object.entries(example).toReversed());
    t.same(
      Object.keys(sortByDisplayOrder(kind, shuffled)),
      order.filter((field) => field in example),
      kind,
    );
  }
});

t.test('the page of a lost item shows the loss first, then the contact form, then the details', async (t) => {
  const lost = { message: 'Ran away', reward: '100 EUR', lastSeen: 'Main Street', since: '' };
  for (const { kind } of QR_CODE_KINDS)
    for (const locale of TESTED_LOCALES) {
      const page = await renderPage(createPageContent(kind, { isLost: true, lost }), locale.tag);
      const carer = ['MEDICAL', 'IDENTIFICATION'].includes(kind)
        ? translate(locale, 'conversation.writeTitle', { recipient: 'carer' })
        : translate(locale, 'conversation.writeTitle', { recipient: 'other' });
      const title =
        kind === 'MEMORY_TAG' ? translate(locale, 'conversation.writeTitle', { recipient: 'family' }) : carer;
      const isCard = kind === 'MEDICAL' || kind === 'IDENTIFICATION';
      const named = { PET: 'Rex', LUGGAGE: 'Green backpack', CAR: 'Blue Golf' }[kind];
      const said = [
        `<p class="flag">${translate(locale, 'finder.lostFlag', { subject: kind === 'PET' ? 'animal' : 'other' })}</p>`,
        named
          ? translate(locale, 'finder.lostNamed', { name: `<bdi>${named}</bdi>` })
          : translate(locale, 'finder.lostTitle', { subject: isCard ? 'person' : 'other' }),
        'Ran away',
        '100 EUR',
        'Main Street',
      ];
      // On a medical card emergency information comes before the loss.
      const marks = [
        '<h1',
        ...(kind === 'MEDICAL' ? [translate(locale, 'finder.callTitle')] : []),
        ...said,
        title,
      ];
      const details =
        { TEXT: 'Water me', URL: 'example.com', MEMORY_TAG: translate(locale, 'finder.shareTitle') }[kind] ??
        '<dl>';
      t.equal(
        findOutOfOrder(page, [...marks, translate(locale, 'finder.shareTitle')]),
        null,
        `${kind}, ${locale.tag}`,
      );
      if (kind !== 'MEDICAL')
        t.ok(page.lastIndexOf(details) > page.indexOf(title), `${kind}, ${locale.tag}: details`);
      if (kind === 'LUGGAGE') t.notOk(page.includes('Reward for'), 'only the current reward');
      t.equal(listQrCodePageParts(kind, true).filter((part) => part === 'facts').length, 1);
    }
});

t.test('the first button is what helps most: the place of a lost thing, a message otherwise', async (t) => {
  const buttonsOf = async (kind: string, changes: Parameters<typeof createPageContent>[1] = {}) =>
    [
      ...(await renderPage(createPageContent(kind, changes))).matchAll(/class="(act[^"]*)" href="(#\w+)"/g),
    ].map(([, style, href]) => `${style} ${href}`);
  const [message, location] = [
    ['act #write', 'act plain #share'],
    ['act #share', 'act plain #write'],
  ];
  t.same(await buttonsOf('PET'), message);
  t.same(await buttonsOf('CAR', { isLost: true }), message, 'a car stays where it is');
  for (const kind of ['PET', 'LUGGAGE', 'MEDICAL', 'URL'])
    t.same(await buttonsOf(kind, { isLost: true }), location, kind);
  t.same(await buttonsOf('PET', { isLost: true, messageForm: null }), ['act #share']);
  for (const kind of ['VCARD', 'EVENT', 'URL', 'WIFI'])
    t.same(await buttonsOf(kind), ['act plain #write'], kind);
  t.same(await buttonsOf('WIFI', { profile: { ssid: 'Open' } }), ['act #write'], 'no password to copy');
  const confirmation = { text: 'Thank you', link: null, topic: 'position' } as const;
  t.same((await buttonsOf('PET', { isLost: true, confirmation })).slice(-2), message, 'once it is shared');
});

t.test('a lost page without words of the owner thanks for the help, without a quote', async (t) => {
  const page = await renderPage(createPageContent('PET', { isLost: true, profile: null }));
  t.match(page, 'Found this? Please tell the owner.');
  t.match(page, translate(DEFAULT_LOCALE, 'finder.lostText'));
  t.notMatch(page, /<blockquote|class="tag"/);
});

t.test('a number has its unit, in the language of the page', async (t) => {
  for (const [tag, weight, height] of [
    ['en', '17.4 kg', '168 cm'],
    ['de', '17,4 kg', '168 cm'],
    ['uk', '17,4 кг', '168 см'],
  ] as const) {
    const profile = { name: 'Ada', notes: '-', weightKg: 17.4, heightCm: 168 };
    const page = await renderPage(createPageContent('MEDICAL', { profile }), tag);
    for (const text of [weight, height]) t.match(page.replaceAll('\u00a0', ' '), `<dd>${text}</dd>`, tag);
    t.notMatch(page, /<dt>[^<]*\(/, `${tag}: not in the label`);
  }
});

t.test('details fold where at least three would be hidden', async (t) => {
  const fields = { species: 'Dog', breed: 'Collie', color: 'Black', sex: 'MALE', diet: 'Fish', tattoo: 'A1' };
  for (const count of [1, 2, 3, 4, 5, 6]) {
    const profile = Object.fromEntries(Object.entries(fields).slice(0, count));
    const page = await renderPage(createPageContent('PET', { profile: { name: 'Rex', ...profile } }));
    t.equal(page.includes('<details>'), count === 6, `${count} details`);
  }
});

t.test('the tab names a thing, unless only the PIN shows its name', async (t) => {
  const titleOf = async (changes: Parameters<typeof createPageContent>[1]) =>
    /<title>([^<]*)/.exec(await renderPage(createPageContent('PET', changes)))?.[1];
  t.equal(await titleOf({}), 'Rex · Pet');
  t.equal(await titleOf({ unlockedVisit: 'x' }), 'Pet: what the owner wants you to know');
  t.equal(await titleOf({ profile: null }), 'Pet: what the owner wants you to know');
});

t.test('no kind that may name a person has the name in its tab', async (t) => {
  const kindsWithName = new Set<string>();
  for (const { kind } of QR_CODE_KINDS) {
    const page = await renderPage(createPageContent(kind, { profile: { name: 'Maria Kowalska' } }));
    if (/<head>.*Maria Kowalska.*<\/head>/s.test(page)) kindsWithName.add(kind);
  }
  t.same([...kindsWithName].sort(), ['CAR', 'DOCUMENT', 'EVENT', 'LOCATION', 'LUGGAGE', 'PET']);
});

t.test('a page is reported from its footer', async (t) => {
  const page = await renderPage(createPageContent('MEMORY_TAG'));
  const [main = '', footer = ''] = page.split('</main>');
  t.notMatch(main, '/report');
  t.match(footer, '/report?lang=en" rel="nofollow">Report this page</a>');
});

t.test('an address or a number is the only way to write, unless the code is lost', async (t) => {
  for (const kind of ['EMAIL', 'SMS', 'PHONE']) {
    t.notMatch(await renderPage(createPageContent(kind)), 'href="#write"', kind);
    t.match(await renderPage(createPageContent(kind, { isLost: true })), 'href="#write"', `${kind}, lost`);
    t.match(await renderPage(createPageContent(kind, { profile: null })), 'href="#write"', `${kind}, hidden`);
  }
  const { messageForm } = createPageContent('PHONE');
  const rejected = { ...Object(messageForm), errorMessage: 'Too long' };
  t.match(await renderPage(createPageContent('PHONE', { messageForm: rejected })), 'Too long');
});

t.test('a card says its name once, and adding it comes first', async (t) => {
  const page = await renderPage(createPageContent('VCARD'));
  const main = page.slice(page.indexOf('<main>'));
  t.equal(main.split('Núñez').length - 1, 3, 'the name, the organization and the call button');
  t.notMatch(main, translate(DEFAULT_LOCALE, 'fields.firstName'));
  t.same(
    [...main.matchAll(/class="(act wide[^"]*)"/g)].map(([, style]) => style),
    ['act wide', 'act wide plain', 'act wide plain'],
  );
  const nameless = await renderPage(createPageContent('VCARD', { profile: { firstName: 'Sofía' } }));
  t.match(nameless, translate(DEFAULT_LOCALE, 'fields.firstName'));
});

t.test('a card or a document says that it has expired, but vouches for no date of its owner', async (t) => {
  const render = (kind: string, validUntil: string) =>
    renderPage(createPageContent(kind, { profile: { name: 'A', validUntil } }));
  for (const kind of ['IDENTIFICATION', 'DOCUMENT']) {
    for (const validUntil of ['2999-12-31', '2999-12', '2999'])
      t.match(await render(kind, validUntil), /<dd><time datetime="2999[^"]*">[^<]*<.time><.dd>/);
    t.match(await render(kind, '1999-12-31'), '<strong class="tag">Expired</strong>');
  }
});

t.test('a memorial leads to the family, a network to the settings, a link by its host', async (t) => {
  t.match(await renderPage(createPageContent('MEMORY_TAG')), '</svg> Send the family a message</a>');
  const hint = /copy the password, then choose <bdi>Café Morgen<.bdi> in the Wi-Fi settings/;
  t.match(await renderPage(createPageContent('WIFI')), hint);
  t.notMatch(await renderPage(createPageContent('WIFI', { profile: { ssid: 'Free' } })), /copy the password/);
  const link = createPageContent('URL', { profile: { url: 'https://example.com/a' } });
  t.match(await renderPage(link), '<h1>This code links to example.com.</h1>');
});

t.test('an owner can order sections, but not before what helpers and finders need', async (t) => {
  t.same(listQrCodePageParts('PET', false, ['DETAILS', 'CONTACTS']), [
    ...['facts', 'contacts', 'urgent', 'pinForm', 'messageForm', 'locationForm'],
  ]);
  t.same(listQrCodePageParts('PET', true, ['DETAILS', 'PIN', 'URGENT']), [
    ...['lost', 'urgent', 'contacts', 'messageForm', 'locationForm', 'facts', 'pinForm'],
  ]);
  for (const isLost of [false, true])
    t.same(listQrCodePageParts('MEDICAL', isLost, ['DETAILS', 'URGENT']), [
      ...['urgent', 'contacts', ...(isLost ? ['lost'] : []), 'facts', 'pinForm', 'messageForm'],
      'locationForm',
    ]);
  const listSections = (...input: Parameters<typeof listPageSections>) =>
    listPageSections(...input).map(({ section, isFixed }) => (isFixed ? `${section}!` : section));
  t.same(listSections('PET', ['PIN', 'NETWORK']), ['PIN', 'URGENT', 'CONTACTS', 'DETAILS']);
  t.same(listSections('MEDICAL', ['PIN']), ['URGENT!', 'CONTACTS!', 'PIN', 'DETAILS']);
  t.same(listSections('URL'), ['ACTIONS', 'PIN', 'DETAILS']);
  t.same(listQrCodePageParts('MEMORY_TAG', false, ['GUEST_BOOK', 'NETWORK']).slice(0, 3), [
    ...['guestBook', 'guestBookForm', 'memorial'],
  ]);
});

t.test('a memorial page has no location form, call buttons or unsuitable presets', async (t) => {
  for (const locale of TESTED_LOCALES) {
    const page = await renderPage(createPageContent('MEMORY_TAG'), locale.tag);
    t.notMatch(page, /id="share"|<script|class="act wide|class="lost|class="card/);
    for (const preset of MESSAGE_PRESETS.filter((preset) => preset !== 'THINKING_OF'))
      t.notOk(page.includes(translate(locale, `conversation.presets.${preset}`)), preset);
    t.notOk(
      page.includes(`<h2>${translate(locale, 'conversation.writeTitle', { recipient: 'other' })}</h2>`),
    );
    t.notOk(page.includes(translate(locale, 'finder.callTitle')));
  }
  const half = await renderPage(
    createPageContent('MEMORY_TAG', { profile: { name: 'A', diedOn: '2024-11-02' } }),
  );
  t.match(half, '<p class="kind">Died: <time datetime="2024-11-02">November 2, 2024</time></p>');
});

t.test('a memorial has the dates of life below its name, above all else', async (t) => {
  const page = await renderPage(createPageContent('MEMORY_TAG', { isLost: true }));
  const order = [
    'class="avatar" aria-hidden="true">K<',
    '<h1>Katharina',
    '1931-05-17',
    '2024-11-02',
    '</div>',
  ];
  t.equal(findOutOfOrder(page, [...order, 'class="lost"', 'class="epitaph text"']), null);
  t.match(
    await renderPage(createPageContent('MEMORY_TAG')),
    'class="act plain" href="#write"',
    'no loud button',
  );
});

t.test('an icon or a letter stands for a missing picture', async (t) => {
  const avatarOf = async (kind: string, profile?: object, tag = 'en') => {
    const page = await renderPage(createPageContent(kind, profile && { profile: profile as never }), tag);
    return /class="avatar" aria-hidden="true">(.*?)<\/span>/.exec(page)?.[1] ?? null;
  };
  for (const kind of ['PET', 'LUGGAGE', 'CAR', 'DOCUMENT', 'LOCATION', 'WIFI'])
    t.match(await avatarOf(kind), '<svg class="icon"', kind);
  t.equal(await avatarOf('VCARD', { name: 'Dr. Sofía Núñez' }), 'S', 'not of a title');
  t.equal(await avatarOf('VCARD', { name: 'ångström' }), 'Å');
  t.equal(await avatarOf('VCARD', { name: '山田' }), '山');
  t.equal(await avatarOf('VCARD', { name: 'J. Doe' }), 'J', 'an initial is no title');
  t.equal(await avatarOf('VCARD', { name: 'Prof. Dr. É.-M. Roux' }), 'É');
  t.equal(await avatarOf('VCARD', { name: 'ilker' }, 'tr'), 'İ');
  t.equal(await avatarOf('VCARD', { name: 'ilker' }), 'I');
  t.equal(await avatarOf('VCARD', { name: 'ნინო' }), 'ნ', 'many fonts have no Georgian capitals');
  for (const [kind, profile] of [
    ['VCARD', { name: '007' }],
    ['VCARD', { email: 'a@example.org' }],
    ['URL', { url: 'https://example.org' }],
    ['MEDICAL', { name: 'Maria' }],
  ] as const)
    t.equal(await avatarOf(kind, profile), null, kind);
});

t.test('a place has its address and position above the maps, and nothing twice', async (t) => {
  const address = { street: 'Pariser Platz', city: 'Berlin' };
  const place = { name: 'Gate', latitude: 52.5163, longitude: 13.3777, address, notes: 'North side' };
  const page = await renderPage(createPageContent('LOCATION', { profile: place }));
  const order = [
    '<h1>Gate',
    'Pariser Platz',
    '52.51630, 13.37770</code>',
    'openstreetmap.org',
    'geo:52.516300',
  ];
  t.equal(findOutOfOrder(page, [...order, 'North side']), null);
  t.equal(page.split('Pariser Platz').length - 1, 1);
  t.notMatch(page, '<dt>Latitude');
  const { latitude: _hidden, ...rest } = place;
  const partly = await renderPage(createPageContent('LOCATION', { profile: rest }));
  t.match(partly, /<dt>Address.*Pariser Platz/s, 'without a position, the address is a detail');
  t.notMatch(partly, 'geo:');
});

t.test('a document page has its own text for the passcode', async (t) => {
  const pin = { ...PIN_FORM, isDocument: true };
  const profile = { name: 'Contract', issuer: 'Nord GmbH' };
  for (const locale of TESTED_LOCALES) {
    const page = await renderPage(createPageContent('DOCUMENT', { profile, pinForm: pin }), locale.tag);
    const marks = [
      'Contract',
      'Nord GmbH',
      translate(locale, 'finder.pinTitle'),
      translate(locale, 'finder.documentText'),
      translate(locale, 'finder.pinButton'),
    ];
    t.equal(findOutOfOrder(page, marks), null, locale.tag);
    t.notOk(page.includes(translate(locale, 'finder.documentButton')));
  }
});

t.test('a locked card asks for its PIN before the details', async (t) => {
  const pin = { ...PIN_FORM, isDocument: false };
  const profile = { name: 'Ada', allergies: [{ name: 'Nuts' }], languages: ['de'] };
  for (const locale of TESTED_LOCALES) {
    const page = await renderPage(createPageContent('MEDICAL', { profile, pinForm: pin }), locale.tag);
    const marks = [
      'Ada',
      'Nuts',
      translate(locale, 'finder.pinTitle'),
      translate(locale, 'finder.detailsTitle'),
      translate(locale, 'conversation.writeTitle', { recipient: 'carer' }),
    ];
    t.equal(findOutOfOrder(page, marks), null, locale.tag);
    t.match(page, `<li>${new Intl.DisplayNames(locale.tag, { type: 'language' }).of('de')}</li>`);
  }
});

t.test('a medical card shows allergies by severity, worst first, and omits unhelpful values', async (t) => {
  const of = (name: string, severity?: string) => ({
    name,
    reaction: 'Rash',
    severity,
    coding: { system: 'SNOMED_CT', code: '91936005' },
  });
  const allergies = [of('Dust', 'MILD'), of('Latex'), of('Nuts', 'SEVERE'), of('Bees', 'LIFE_THREATENING')];
  const profile = { name: 'Ada', allergies, bloodType: 'UNKNOWN', pregnant: false, organDonor: false };
  for (const locale of TESTED_LOCALES) {
    const page = await renderPage(createPageContent('MEDICAL', { profile }), locale.tag);
    t.equal(
      findOutOfOrder(page, ['Bees', translate(locale, 'values.LIFE_THREATENING'), 'Nuts', 'Latex', 'Dust']),
      null,
      locale.tag,
    );
    t.match(page, /<bdi><b>Nuts<.b><.bdi>[,،] <bdi><strong class="grave"><span aria-hidden="true">⚠<.span>/);
    t.ok(page.includes(`<b>${translate(locale, 'values.MILD')}</b>`));
    for (const word of [
      'SNOMED',
      '91936005',
      translate(locale, 'fields.bloodType'),
      translate(locale, 'fields.pregnant'),
    ])
      t.notOk(page.includes(word), word);
    t.ok(page.includes(translate(locale, 'fields.organDonor')), 'any other "no" is shown');
    const many = Array.from({ length: 29 }, () => of('Dust'.repeat(30), 'MILD'));
    const long = { name: 'Ada', allergies: [...many, of('Bees', 'LIFE_THREATENING')] };
    t.match(
      await renderPage(createPageContent('MEDICAL', { profile: long }), locale.tag),
      'Bees',
      'the worst allergy is never truncated',
    );
  }
});

t.test('an emergency card that shows no health data does not read as if there were none', async (t) => {
  const hidden = 'Health details aren’t public on this card. That doesn’t mean there are none.';
  const behindPin = 'Health details such as allergies and medications are behind the PIN.';
  const render = (profile: object, hasPin = false) =>
    renderPage(
      createPageContent('MEDICAL', {
        profile: { name: 'Maria K.', ...profile },
        pinForm: hasPin ? { ...PIN_FORM, isDocument: false } : null,
      }),
    );
  t.match(await render({ languages: ['de'] }), hidden);
  t.match(await render({ bloodType: 'UNKNOWN', pregnant: false }), hidden, 'values without information');
  t.match(await render({}, true), behindPin);
  for (const profile of [{ bloodType: 'A+' }, { allergies: [{ name: 'Nuts' }] }, { notes: 'Deaf' }])
    for (const text of [hidden, behindPin]) t.notMatch(await render(profile, true), text);
  t.match(await render({ bloodType: 'AB-' }), '<b><bdi dir="ltr">AB\u2212</bdi> negative</b>');
  t.match(await render({ bloodType: 'A+' }), '<b><bdi dir="ltr">A+</bdi> positive</b>');
});

t.test('an emergency card calls the number of the country, or 112, and shows it as text', async (t) => {
  const render = (country: string | null, tag = 'en') =>
    renderPage(createPageContent('MEDICAL', { country, profile: { name: 'Ada' } }), tag);
  for (const country of [null, 'DE', 'PE'])
    t.match(
      await render(country),
      '<a class="act wide sos" href="tel:112">Call emergency services:\u00a0112</a>',
    );
  t.match(await render(null), '112 works on most mobile phones.');
  for (const [country, number, name] of [
    ['US', '911', 'United States'],
    ['JP', '119', 'Japan'],
    ['AU', '000', 'Australia'],
    ['XK', '194', 'Kosovo'],
  ] as const) {
    const page = await render(country);
    t.match(page, `<a class="act wide sos" href="tel:${number}">Call emergency services:\u00a0${number}</a>`);
    t.match(page, `This is the local emergency number (${name}). If it doesn’t connect, call 112.`);
  }
  for (const { tag } of LOCALES.values())
    t.ok((await render('GB', tag)).split('999').length > 2, `${tag}: the number is text, too`);
  t.notMatch(await renderPage(createPageContent('PET', { country: 'US' })), 'tel:911');
});

t.test('a browser can fill in name and email, but not the honeypot', async (t) => {
  const page = await renderPage(createPageContent('PET'));
  for (const [name, filled] of [
    ['name', 'name'],
    ['email', 'email'],
    ['nothing', 'off'],
  ] as const)
    t.match(page, new RegExp(`<input[^>]* name="${name}"[^>]* autocomplete="${filled}"`), name);
});

t.test('cards of a person offer presets for a person, not for a found item', async (t) => {
  for (const kind of ['MEDICAL', 'IDENTIFICATION'])
    for (const isLost of [false, true]) {
      const presets = getMessagePresetsForCodeKind(kind, isLost);
      t.same(
        presets.filter((preset) => ['FOUND', 'IS_AT'].includes(preset)),
        [],
        kind,
      );
      t.ok(presets.includes('CARD_FOUND') && presets.includes('AM_AT'), kind);
    }
  t.same(getMessagePresetsForCodeKind('CAR', true).slice(-1), ['IS_AT']);
});

t.test('a contact with a phone number has a call button and is shown once', async (t) => {
  const contacts = [
    { name: 'Tom', relation: 'Son', phone: '0171 22' },
    { name: 'Eva', email: 'e@example.org' },
  ];
  const profile = {
    name: 'Ada',
    emergencyContacts: contacts,
    insurance: { company: 'AOK', phone: '0800 1' },
  };
  for (const locale of TESTED_LOCALES) {
    const page = await renderPage(createPageContent('MEDICAL', { profile, messageForm: null }), locale.tag);
    const call = translate(locale, 'finder.call', { name: '<bdi>Tom</bdi>' });
    t.match(page, `</svg> ${call}\n<span><bdi>Son</bdi> · <bdi>0171 22</bdi></span></a>`);
    t.equal(page.split('Tom').length, 2);
    const marks = [translate(locale, 'fields.emergencyContacts'), '<b>Eva</b>', 'e@example.org', 'tel:08001'];
    t.equal(findOutOfOrder(page, [call, ...marks]), null, locale.tag);
  }
  const nameless = await renderPage(createPageContent('PHONE', { profile: { phone: '+49 30 1' } }));
  t.match(nameless, '</svg> Call <bdi>+49 30 1</bdi>\n');
});

t.test('the emergency number never stands alone on a line', async (t) => {
  for (const { tag } of LOCALES.values()) {
    const page = await renderPage(createPageContent('MEDICAL'), tag);
    t.match(page, /href="tel:112">[^<]*[^ ]112</, tag);
  }
});
