import { readFile } from 'node:fs/promises';
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import { createMessageTypes, listArgumentTypes } from '../../../scripts/i18n/message-types.ts';
import { QR_CODE_KINDS } from '../../../src/features/codes/kinds/all-kinds.ts';
import { formatMessage, parseIcuMessage } from '../../../src/shared/i18n/format-message.ts';
import {
  type Catalogue,
  DEFAULT_LOCALE,
  LOCALES,
  MESSAGE_CATALOGUES,
} from '../../../src/shared/i18n/locales.ts';
import { t } from '../../tap.ts';

const english = MESSAGE_CATALOGUES.get('en') as Catalogue;

/** Collect every list of elements that a message can be formatted from, options included. */
function listBranches(elements: MessageFormatElement[]): MessageFormatElement[][] {
  const options = elements.flatMap((element) =>
    element.type === TYPE.plural || element.type === TYPE.select ? Object.values(element.options) : [],
  );
  return [elements, ...options.flatMap(({ value }) => listBranches(value))];
}

t.test('a text points to no page of an application that may not exist', async (t) => {
  // These are shown only where FRONTEND_URL names one.
  const known = ['ownerLink.openApplication', 'mails.SCAN_REPORT.application'];
  for (const [key, text] of english)
    if (!known.includes(key))
      t.notMatch(
        text,
        /account under|in the app\b|in the list of|access list|shared with you\.|activity log|in your account|download it from your account/,
        key,
      );
});

t.test('Spanish is understood in Latin America', async (t) => {
  // Words of Spain alone, unless the word of America stands beside them.
  const peninsular =
    /vosotros|vuestr|ordenador|fichero|coche|portátil|(?<!celular o )móvil|(?<!placa o )matrícula/i;
  for (const [key, text] of MESSAGE_CATALOGUES.get('es') ?? []) t.notMatch(text, peninsular, key);
});

function listPluralProblems(tag: string, elements: MessageFormatElement[]): string[] {
  const plurals = listBranches(elements)
    .flat()
    .filter((element) => element.type === TYPE.plural);
  return plurals.flatMap(({ options }) => {
    const rules = new Intl.PluralRules(tag);
    const needed = [...rules.resolvedOptions().pluralCategories].sort().join();
    const categories = Object.keys(options).filter((option) => !option.startsWith('='));
    const selected = Array.from({ length: 1_001 }, (_, number) => rules.select(number));
    const silent = Object.entries(options).filter(([option, { value }]) => {
      // 0 and 1 are one category in some languages, and both are written as "one" there.
      const isWord = option !== 'other' && selected.filter((category) => category === option).length <= 2;
      return !isWord && !value.some(({ type }) => type === TYPE.pound);
    });
    return [
      ...(categories.sort().join() === needed ? [] : [`has not the plural categories ${needed}`]),
      ...silent.map(([option]) => `does not show the number in ${option}`),
    ];
  });
}

function listProblems(tag: string, key: string, text: string): string[] {
  const elements = parseIcuMessage(text);
  const shape = (message: string) => JSON.stringify([...listArgumentTypes(parseIcuMessage(message))].sort());
  const branches = listBranches(elements).map((branch) =>
    branch.map((element) => (element.type === TYPE.literal ? element.value : '#')).join(''),
  );
  return [
    ...(shape(text) === shape(english.get(key) ?? '')
      ? []
      : ['has not the arguments and options of English']),
    ...(branches.some((branch) => branch.trim() === '') ? ['is blank'] : []),
    ...(branches.some((branch) => /[{}]/.test(branch)) ? ['has a brace that is no argument'] : []),
    ...listPluralProblems(tag, elements),
  ].map((problem) => `${key} ${problem}`);
}

for (const { tag, name } of LOCALES.values()) {
  t.test(`the catalogue of ${name} is complete and valid`, async (t) => {
    const catalogue = MESSAGE_CATALOGUES.get(tag) as Catalogue;
    t.same([...catalogue.keys()], [...english.keys()], 'the keys of English in the same order');
    const problems = [...catalogue].flatMap(([key, text]) => listProblems(tag, key, text));
    t.same(problems, []);
  });
}

t.test('finds problems of a message', async (t) => {
  const key = 'finder.pinAttemptsLeft';
  t.same(listProblems('pl', key, '{count, plural, one {#} few {#} many {#} other {#}}'), []);
  t.match(listProblems('pl', key, '{count, plural, one {#} other {#}}').join(), 'plural categories');
  t.match(
    listProblems('en', key, '{count, plural, one {One} other {Some}}').join(),
    'show the number in other',
  );
  t.match(listProblems('en', key, '{number, plural, one {One} other {#}}').join(), 'arguments and options');
  t.match(
    listProblems('en', 'finder.lostTitle', '{subject, select, other {x}}').join(),
    'arguments and options',
  );
  t.match(listProblems('en', 'finder.yes', ' ').join(), 'blank');
  t.throws(() => listProblems('en', 'finder.yes', 'Yes {'), SyntaxError);
});

t.test('the types of keys and arguments are those of the English catalogue', async (t) => {
  const written = await readFile('src/shared/i18n/message-arguments.ts', 'utf8');
  t.equal(written, createMessageTypes(english), 'else run `npm run i18n:types`');
});

t.test('every kind of code, field and value of a field has its message', async (t) => {
  const enumerated = new Set<string>();
  let fields = 0;
  for (const { kind, label, schema } of QR_CODE_KINDS) {
    t.equal(formatMessage(DEFAULT_LOCALE, `kinds.${kind}`), label, kind);
    const check = (key: string, field: Field): void => {
      fields += 1;
      // Pages have the unit beside the number.
      const title = field.title?.replace(/ \((?:kg|cm)\)$/, '');
      if (title) t.equal(formatMessage(DEFAULT_LOCALE, key, { kind }), title, `${kind} ${key}`);
      for (const value of field.enum ?? []) enumerated.add(value);
      for (const [name, part] of Object.entries(field.properties ?? {})) check(`fields.${name}`, part);
      if (field.items) check(`${key}.item`, field.items);
    };
    for (const [name, field] of Object.entries<Field>(schema.properties)) check(`fields.${name}`, field);
  }
  t.ok(fields > 100);
  t.ok(enumerated.size > 20);
  // Blood types are the same everywhere.
  const isKnown = (value: string) => english.has(`values.${value}`) || /^(?:A|B|AB|O)[+-]$/.test(value);
  t.same(
    [...enumerated].filter((value) => !isKnown(value)),
    [],
  );
});

interface Field {
  title?: string;
  enum?: readonly string[];
  properties?: Record<string, Field>;
  items?: Field;
}
