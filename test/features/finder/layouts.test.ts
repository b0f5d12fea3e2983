import { PRESETS, presetsFor } from '../../../src/features/conversations/presets.rules.ts';
import { partsOf } from '../../../src/features/finder/layout.rules.ts';
import { KINDS } from '../../../src/features/qrcodes/kinds/all-kinds.ts';
import { LANGUAGES, type Language, sayTerm } from '../../../src/shared/languages/language.ts';
import { t } from '../../tap.ts';
import { inOrder, PIN_FORM, pageOf, rendered } from './pages.ts';

const SPOKEN = ['en', 'ar'].map((tag) => LANGUAGES.get(tag) as Language);

/** What a page of the example of each kind says, from top to bottom. */
const ORDER: Record<string, (language: Language) => string[]> = {
  MEDICAL: ({ finder, words }) => [
    ...[`<h1>${finder.emergencyTitle}</h1>`, 'Maria K.'],
    ...['Penicillin', `⚠</span> ${words.LIFE_THREATENING}`, 'Anaphylaxis', 'Type 1 diabetes'],
    ...['Insulin lispro', 'Insulin pump', '>O-<', 'Carries glucose'],
    ...[finder.callTitle, 'tel:+491717654321', 'tel:+4989765432', finder.detailsTitle],
    ...['datetime="1958-09-30"', '168', finder.writeCarer, finder.shareTitle],
  ],
  PET: ({ finder, conversation }) => [
    ...['<h1>Rex</h1>', 'Chicken', finder.callTitle, 'tel:+491701234567', 'tel:+49301234567'],
    ...[
      'Please give him water',
      'Friendly, but afraid',
      'Rabies',
      conversation.writeTitle,
      finder.shareTitle,
    ],
  ],
  LUGGAGE: ({ conversation }) => [
    ...['<h1>Green backpack</h1>', 'Thank you for finding me', '50 EUR', 'tel:+41791234567'],
    ...['mailto:lena@example.com', 'Deuter', 'blue notebook', conversation.writeTitle],
  ],
  CAR: () => [
    '<h1>Blue Golf</h1>',
    'Am I in your way',
    'High-voltage',
    'tel:+491601112223',
    'B-AB',
    'Allianz',
  ],
  IDENTIFICATION: ({ finder }) => [
    '<h1>Tomás',
    'tel:+351913000111',
    'tel:+351912345678',
    'Volunteer',
    '1990',
    finder.writeCarer,
  ],
  MEMORY_TAG: ({ finder }) => [
    ...[
      finder.inMemory,
      '<h1>Katharina',
      'datetime="1931-05-17"',
      'datetime="2024-11-02"',
      'She planted trees',
    ],
    ...['Teacher, gardener', 'https://example.com/garden', 'Eva Brandt', finder.writeFamily],
  ],
  DOCUMENT: ({ conversation }) => [
    ...['<h1>Rental contract</h1>', '2029-01-31', 'Hausverwaltung Nord', 'MV-4711', conversation.writeTitle],
  ],
  URL: ({ finder, conversation }) => ['<h1>', finder.onwardLink.split('{')[0] ?? '', conversation.writeTitle],
  WIFI: ({ finder, terms }) => [
    ...[terms['Network name'], '<code>Café Morgen</code>', terms.Password, '<code>two cups; no sugar</code>'],
    ...[terms.Security, finder.wifiText, '<svg', 'Best near the window'],
  ],
  VCARD: ({ finder }) => [
    ...['<h1>Dr. Sofía Núñez</h1>', 'tel:+34600123456', finder.writeMail, finder.addContact, 'Architect'],
    ...['mailto:sofia@example.com', 'https://example.com', 'Calle Mayor'],
  ],
  TEXT: ({ conversation }) => ['<p class="text">Water me on', conversation.writeTitle],
  EMAIL: ({ finder }) => [
    'mailto:booking@example.com?subject=A%20table',
    finder.writeMail,
    'A table for two',
  ],
  PHONE: () => ['<h1>Caretaker</h1>', 'tel:+49301234567', 'Weekdays'],
  SMS: ({ finder }) => ['sms:+491701234567?&#38;body=I%20would', finder.writeSms, 'I would like'],
  LOCATION: ({ finder }) => [
    ...['<h1>Brandenburg Gate', 'geo:52.516275,13.377704', finder.mapLink, 'https://www.openstreetmap.org/'],
    ...[finder.mapWeb, 'north side'],
  ],
  EVENT: ({ finder }) => ['<h1>Summer party', 'Courtyard', 'event.ics', finder.addEvent],
};

/** The first of some marks that does not come after the one before it; null where all do. */
function outOfOrder(page: string, marks: readonly string[]): string | null {
  let from = page.indexOf('<main>');
  for (const mark of marks) {
    const at = page.indexOf(mark, from);
    if (at < 0) return mark;
    from = at;
  }
  return null;
}

t.test('a page has the order that fits its kind, in each direction of writing', async (t) => {
  t.same(Object.keys(ORDER).toSorted(), KINDS.map(({ kind }) => kind).toSorted());
  for (const [kind, marks] of Object.entries(ORDER))
    for (const language of SPOKEN) {
      const page = await rendered(pageOf(kind), language.tag);
      t.equal(outOfOrder(page, marks(language)), null, `${kind}, ${language.tag}`);
    }
});

t.test('the fields of each kind have an order: what is urgent directly after the name', async (t) => {
  const first = Object.fromEntries(
    KINDS.map(({ kind, defaultVisibility }) => [kind, Object.keys(defaultVisibility).slice(0, 11)]),
  );
  t.same(first.MEDICAL, [
    ...['name', 'allergies', 'conditions', 'medications', 'implants', 'pregnant', 'bloodType'],
    ...['advanceDirective', 'notes', 'bornOn', 'sex'],
  ]);
  t.same(first.PET?.slice(0, 5), ['name', 'allergies', 'medicalNotes', 'medications', 'owner']);
  t.same(first.CAR?.slice(0, 5), ['name', 'message', 'propulsion', 'rescueNotes', 'owner']);
  t.same(first.LUGGAGE?.slice(0, 4), ['name', 'message', 'reward', 'owner']);
  for (const { kind, defaultVisibility, urgent = [], example } of KINDS) {
    const order = Object.keys(defaultVisibility);
    t.same(order.slice(1, 1 + urgent.length), urgent, kind);
    const shuffled = Object.fromEntries(Object.entries(example).toReversed());
    t.same(
      Object.keys(inOrder(kind, shuffled)),
      order.filter((field) => field in example),
      kind,
    );
  }
});

t.test('what is lost says so first, then how to reach the owner, then the details', async (t) => {
  const lost = { message: 'Ran away', reward: '100 EUR', lastSeen: 'Main Street', since: '' };
  for (const { kind } of KINDS)
    for (const { tag, finder, conversation } of SPOKEN) {
      const page = await rendered(pageOf(kind, { isLost: true, lost }), tag);
      const carer = ['MEDICAL', 'IDENTIFICATION'].includes(kind)
        ? finder.writeCarer
        : conversation.writeTitle;
      const title = kind === 'MEMORY_TAG' ? finder.writeFamily : carer;
      const isCard = kind === 'MEDICAL' || kind === 'IDENTIFICATION';
      const said = [isCard ? finder.lostCardTitle : finder.lostTitle, 'Ran away', '100 EUR', 'Main Street'];
      // Of what guards a life the emergency is said before the loss.
      const marks = ['<h1>', ...(kind === 'MEDICAL' ? [finder.callTitle] : []), ...said, title];
      const details = { TEXT: 'Water me', URL: 'example.com', MEMORY_TAG: finder.shareTitle }[kind] ?? '<dl>';
      t.equal(outOfOrder(page, [...marks, finder.shareTitle]), null, `${kind}, ${tag}`);
      if (kind !== 'MEDICAL')
        t.ok(page.lastIndexOf(details) > page.indexOf(title), `${kind}, ${tag}: details`);
      if (kind === 'LUGGAGE') t.notOk(page.includes('Reward for'), 'one reward, the one that counts now');
      t.equal(partsOf(kind, true).filter((part) => part === 'facts').length, 1);
    }
});

t.test('a memorial is quiet', async (t) => {
  for (const { tag, conversation, finder } of SPOKEN) {
    const page = await rendered(pageOf('MEMORY_TAG'), tag);
    t.notMatch(page, /id="share"|<script|class="act|class="lost|class="card/);
    for (const preset of PRESETS.filter((preset) => preset !== 'THINKING_OF'))
      t.notOk(page.includes(conversation.presets[preset]), preset);
    t.notOk(page.includes(conversation.writeTitle));
    t.notOk(page.includes(finder.callTitle));
  }
  const half = await rendered(pageOf('MEMORY_TAG', { profile: { name: 'A', diedOn: '2024-11-02' } }));
  t.match(half, '<p class="kind">Died: <time datetime="2024-11-02">November 2, 2024</time></p>');
});

t.test('a document asks for its passcode in words of its own', async (t) => {
  const pin = { ...PIN_FORM, isOfDocument: true };
  const profile = { name: 'Contract', issuer: 'Nord GmbH' };
  for (const { tag, finder } of SPOKEN) {
    const page = await rendered(pageOf('DOCUMENT', { profile, pin }), tag);
    const marks = ['Contract', 'Nord GmbH', finder.documentTitle, finder.documentText, finder.documentButton];
    t.equal(outOfOrder(page, marks), null, tag);
    t.notOk(page.includes(finder.pinTitle));
  }
});

t.test('a card that is locked asks for its PIN before the details', async (t) => {
  const pin = { ...PIN_FORM, isOfDocument: false };
  const profile = { name: 'Ada', allergies: [{ name: 'Nuts' }], languages: ['de'] };
  for (const { tag, finder } of SPOKEN) {
    const page = await rendered(pageOf('MEDICAL', { profile, pin }), tag);
    const marks = ['Ada', 'Nuts', finder.pinTitle, finder.detailsTitle, finder.writeCarer];
    t.equal(outOfOrder(page, marks), null, tag);
    t.match(page, `<li>${new Intl.DisplayNames(tag, { type: 'language' }).of('de')}</li>`);
  }
});

t.test('a card says how bad an allergy is, the worst first, and nothing that helps nobody', async (t) => {
  const of = (name: string, severity?: string) => ({
    name,
    reaction: 'Rash',
    severity,
    coding: { system: 'SNOMED_CT', code: '91936005' },
  });
  const allergies = [of('Dust', 'MILD'), of('Latex'), of('Nuts', 'SEVERE'), of('Bees', 'LIFE_THREATENING')];
  const profile = { name: 'Ada', allergies, bloodType: 'UNKNOWN', pregnant: false, organDonor: false };
  for (const { tag, words, terms } of SPOKEN) {
    const page = await rendered(pageOf('MEDICAL', { profile }), tag);
    t.equal(outOfOrder(page, ['Bees', words.LIFE_THREATENING, 'Nuts', 'Latex', 'Dust']), null, tag);
    t.match(page, /<bdi><b>Nuts<.b><.bdi>[,،] <bdi><strong class="grave"><span aria-hidden="true">⚠<.span>/);
    t.ok(page.includes(`<b>${words.MILD}</b>`));
    for (const word of ['SNOMED', '91936005', terms['Blood type'], terms.Pregnant])
      t.notOk(page.includes(word), word);
    t.ok(page.includes(terms['Organ donor']), 'any other no is an answer');
    const many = Array.from({ length: 29 }, () => of('Dust'.repeat(30), 'MILD'));
    const long = { name: 'Ada', allergies: [...many, of('Bees', 'LIFE_THREATENING')] };
    t.match(await rendered(pageOf('MEDICAL', { profile: long }), tag), 'Bees', 'the worst is never cut');
  }
});

t.test('a browser fills in who writes, and nothing that is for machines', async (t) => {
  const page = await rendered(pageOf('PET'));
  for (const [name, filled] of [
    ['name', 'name'],
    ['email', 'email'],
    ['nothing', 'off'],
  ] as const)
    t.match(page, new RegExp(`<input[^>]* name="${name}"[^>]* autocomplete="${filled}"`), name);
});

t.test('a person is neither found nor at a place as a thing is', async (t) => {
  for (const kind of ['MEDICAL', 'IDENTIFICATION'])
    for (const isLost of [false, true]) {
      const presets = presetsFor(kind, isLost);
      t.same(
        presets.filter((preset) => ['FOUND', 'IS_AT'].includes(preset)),
        [],
        kind,
      );
      t.ok(presets.includes('CARD_FOUND') && presets.includes('AM_AT'), kind);
    }
  t.same(presetsFor('CAR', true).slice(-1), ['IS_AT']);
});

t.test('whoever has a number can be called, and is not told of twice', async (t) => {
  const contacts = [
    { name: 'Tom', relation: 'Son', phone: '0171 22' },
    { name: 'Eva', email: 'e@example.org' },
  ];
  const profile = {
    name: 'Ada',
    emergencyContacts: contacts,
    insurance: { company: 'AOK', phone: '0800 1' },
  };
  for (const language of SPOKEN) {
    const page = await rendered(pageOf('MEDICAL', { profile, write: null }), language.tag);
    const call = language.finder.call.replace('{name}', '<bdi>Tom</bdi>');
    t.match(
      page,
      `<a class="act wide" href="tel:017122">${call}\n<span><bdi>Son</bdi> · <bdi>0171 22</bdi></span></a>`,
    );
    t.equal(page.split('Tom').length, 2);
    const marks = [sayTerm(language, 'Emergency contacts'), '<b>Eva</b>', 'e@example.org', 'tel:08001'];
    t.equal(outOfOrder(page, [call, ...marks]), null, language.tag);
  }
  const nameless = await rendered(pageOf('PHONE', { profile: { phone: '+49 30 1' } }));
  t.match(nameless, 'href="tel:+49301">Call <bdi>+49 30 1</bdi>\n');
});
