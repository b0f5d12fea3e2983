import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { type ColumnMapping, isKnownColumn, QR_CODE_KINDS, toColumnName } from '../../codes/index.ts';
import { translateFieldName } from '../../finder/index.ts';
import type { FieldOption } from '../components.ts';
import { type FieldSchema, getFieldType } from '../content/form-fields.rules.ts';

/** In a form: a column that becomes a field of the owner's, with the name of the column. */
export const OWN_FIELD = 'metadata';

/** In a form, and without a choice. */
export const LEFT_OUT = '';

/** Texts, so that a cell has the value: lists and groups of a kind are filled in later. */
const MAPPED_TYPES = [
  'line',
  'text',
  'phone',
  'email',
  'url',
  'country',
  'date',
  'partialDate',
  'dateTime',
  'number',
  'choice',
  'yesOrNo',
];

/** List what a column can be for codes of a kind; null where a column says the kind. */
export function listColumnTargets(kind: string | null, locale: Locale): FieldOption[] {
  return [
    { value: 'title', label: t(locale, 'app.imports.target.title') },
    ...(kind === null
      ? [{ value: 'kind', label: t(locale, 'app.codes.kind') }]
      : listKindTargets(kind, locale)),
    { value: 'externalId', label: t(locale, 'app.imports.target.number') },
    { value: 'expiresAt', label: t(locale, 'app.imports.target.expiresAt') },
    { value: 'pin', label: t(locale, 'app.imports.target.pin') },
  ];
}

function listKindTargets(kind: string, locale: Locale): FieldOption[] {
  const schema: FieldSchema | undefined = QR_CODE_KINDS.find((one) => one.kind === kind)?.schema;
  return listMembers(schema, 'data', []);

  function listMembers(
    field: FieldSchema | undefined,
    path: string,
    labels: readonly string[],
  ): FieldOption[] {
    return Object.entries(field?.properties ?? {}).flatMap(([key, member]): FieldOption[] => {
      // Codes for machines.
      if (key === 'coding') return [];
      const value = `${path}.${key}`;
      const ownLabels = [...labels, translateFieldName({ kind, locale }, key)];
      const type = getFieldType(member);
      if (type === 'group') return listMembers(member, value, ownLabels);
      return MAPPED_TYPES.includes(type) ? [{ value, label: ownLabels.join(' – ') }] : [];
    });
  }
}

/** Guess what the columns of a file are by their names, in the words of the reader or of an export. */
export function guessColumns(
  header: readonly string[],
  kind: string | null,
  locale: Locale,
): (string | null)[] {
  const targets = listColumnTargets(kind, locale);
  const byLetters = new Map<string, string>();
  const add = (text: string | undefined, value: string) => {
    const letters = toLetters(text ?? '');
    if (!byLetters.has(letters)) byLetters.set(letters, value);
  };
  for (const { value, label } of targets) add(label, value);
  // The last word, such as “Phone” of “Owner – Phone”: mostly it is of the owner.
  const isOfOwner = ({ value }: FieldOption) => value.startsWith('data.owner.');
  for (const { value, label } of [...targets.filter(isOfOwner), ...targets]) {
    add(label.split(' – ').at(-1), value);
    add(value.split('.').at(-1), value);
  }
  // “Number” of “Your own number”, unless the kind has such a field.
  add(t(locale, 'app.imports.target.number').split(' ').at(-1), 'externalId');
  const taken = new Set<string>();
  const guesses = header.map((label) => {
    const exact = toColumnName(label);
    const guess =
      label.trim() === '' ? undefined : isKnownColumn(exact) ? exact : byLetters.get(toLetters(label));
    if (guess === undefined || taken.has(guess)) return null;
    taken.add(guess);
    return guess;
  });
  if (taken.has('title') || taken.has('data.name') || !hasHarmlessTitle(kind)) return guesses;
  // The first column that is nothing else mostly is what the row is about.
  const first = guesses.findIndex((guess, index) => guess === null && header[index]?.trim());
  return guesses.map((guess, index) => (index === first ? 'title' : guess));
}

/** Name the field of the owner's that a column becomes: letters without accents, digits and hyphens. */
export function toMetadataName(label: string, index: number): string {
  const name = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  return name === '' ? `column-${index + 1}` : name;
}

/** Whether codes of a kind are named by a field, where no column is their name. */
export function isNamedByField(kind: string | null): boolean {
  const definition = QR_CODE_KINDS.find((one) => one.kind === kind);
  return definition !== undefined && hasHarmlessTitle(kind) && 'name' in definition.schema.properties;
}

/** A title is not encrypted. */
function hasHarmlessTitle(kind: string | null): boolean {
  const definition = QR_CODE_KINDS.find((one) => one.kind === kind);
  return definition !== undefined && definition.sensitive !== 'ALWAYS';
}

/** Describe a column of an import in the words of the reader. */
export function translateTarget(name: string, targets: readonly FieldOption[]): string {
  const target = targets.find(({ value }) => value === name);
  return target?.label ?? name.replace(/^metadata\./, '');
}

/** Describe the field of an error, which is the name of a column in the file, or a field that no column is. */
export function translateErrorField(field: string, { kind }: ColumnMapping, locale: Locale): string {
  return translateTarget(field, listColumnTargets(kind, locale));
}

function toLetters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
