import { createHash } from 'node:crypto';
import { NON_BLANK_TEXT_PATTERN } from '../../../shared/common.schemas.ts';
import type { FieldError } from '../../../shared/errors.ts';
import {
  createCountryFieldSchema,
  createEmailFieldSchema,
  createPhoneFieldSchema,
  createWebUrlFieldSchema,
} from '../../codes/index.ts';
import { formatLocalTime, parseLocalTime } from './local-time.rules.ts';

/** What the rules of forms read of the JSON schema of a kind. */
export interface FieldSchema {
  type?: string;
  format?: string;
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
  items?: FieldSchema;
  maxItems?: number;
}

export type FieldType =
  | 'line'
  | 'text'
  | 'phone'
  | 'email'
  | 'url'
  | 'country'
  | 'date'
  | 'partialDate'
  | 'dateTime'
  | 'number'
  | 'choice'
  | 'yesOrNo'
  | 'lines'
  | 'group'
  | 'groups';

/** Values of a form by the names of its fields, which are the paths of field errors: `data.allergies[0].name`. */
export type FormValues = Readonly<Record<string, string>>;

export type FormData = Readonly<Record<string, unknown>>;

const { format: PHONE_FORMAT }: FieldSchema = createPhoneFieldSchema();
const { format: EMAIL_FORMAT }: FieldSchema = createEmailFieldSchema();
const { pattern: URL_PATTERN }: FieldSchema = createWebUrlFieldSchema('', '');
const { pattern: COUNTRY_PATTERN }: FieldSchema = createCountryFieldSchema();

const TYPES_BY_FORMAT: Readonly<Record<string, FieldType>> = {
  [PHONE_FORMAT ?? '']: 'phone',
  [EMAIL_FORMAT ?? '']: 'email',
  date: 'date',
  'partial-date': 'partialDate',
  'date-time': 'dateTime',
};

const TYPES_BY_PATTERN: Readonly<Record<string, FieldType>> = {
  [NON_BLANK_TEXT_PATTERN]: 'text',
  [URL_PATTERN ?? '']: 'url',
  [COUNTRY_PATTERN ?? '']: 'country',
};

/** Of lists whose schema has no maximum. */
export const MAX_ENTRIES = 50;

/** Of a list, after the name of an entry: the entry is left out. */
export const REMOVE_SUFFIX = '.remove';

/** After the name of a date-time: as it is stored, with the offset that the field does not show. */
export const STORED_SUFFIX = '.stored';

export function getFieldType({ type, format, pattern, enum: values, items }: FieldSchema): FieldType {
  if (type === 'object') return 'group';
  if (type === 'array') return items?.type === 'object' ? 'groups' : 'lines';
  if (type === 'boolean') return 'yesOrNo';
  if (type === 'number' || type === 'integer') return 'number';
  if (values) return 'choice';
  return TYPES_BY_FORMAT[format ?? ''] ?? TYPES_BY_PATTERN[pattern ?? ''] ?? 'line';
}

/** Convert the content of a code to the values of its form. */
export function toFormValues(schema: FieldSchema, data: FormData, timeZone: string): FormValues {
  const values: Record<string, string> = {};
  addValues(schema, data, 'data');
  return values;

  function addValues(field: FieldSchema, value: unknown, name: string): void {
    if (value === undefined || value === null) return;
    const type = getFieldType(field);
    if (type === 'group') {
      const members = new Map(Object.entries(Object(value)));
      for (const [key, member] of Object.entries(field.properties ?? {}))
        addValues(member, members.get(key), `${name}.${key}`);
    } else if (type === 'groups' && Array.isArray(value))
      for (const [index, item] of value.entries()) addValues(field.items ?? {}, item, `${name}[${index}]`);
    else if (type === 'lines' && Array.isArray(value)) values[name] = value.join('\n');
    else if (type === 'dateTime') {
      values[name] = formatLocalTime(String(value), timeZone);
      values[name + STORED_SUFFIX] = String(value);
    } else values[name] = String(value);
  }
}

/**
 * Convert a form to content. What is no number, date or address stays as it is: the schema of the kind names it.
 * @param stored fields that the form does not have stay
 */
export function parseFormValues(
  schema: FieldSchema,
  values: FormValues,
  timeZone: string,
  stored: FormData = {},
): Record<string, unknown> {
  const names = Object.keys(values);
  const data = new Map(Object.entries(stored));
  const content = Object.entries(schema.properties ?? {}).map(([key, field]) => {
    const name = `data.${key}`;
    return [key, hasField(name) ? parseField(field, name) : data.get(key)] as const;
  });
  return Object.fromEntries(content.filter(([, value]) => value !== undefined));

  function hasField(name: string): boolean {
    return names.some((one) => one === name || one.startsWith(`${name}.`) || one.startsWith(`${name}[`));
  }

  function parseField(field: FieldSchema, name: string): unknown {
    const type = getFieldType(field);
    if (type === 'group') return parseGroup(field, name);
    if (type === 'groups')
      return toList(
        listEntries(name, field.maxItems)
          .filter((entry) => values[entry + REMOVE_SUFFIX] === undefined)
          .map((entry) => parseGroup(field.items ?? {}, entry)),
      );
    const text = values[name] ?? '';
    if (type === 'lines') {
      const lines = text.split('\n', 10 * MAX_ENTRIES).flatMap((line) => line.trim() || []);
      return toList(lines.slice(0, (field.maxItems ?? MAX_ENTRIES) + 1));
    }
    if (text.trim() === '') return undefined;
    if (type === 'dateTime') return parseLocalTime(text.trim(), values[name + STORED_SUFFIX], timeZone);
    return parseText(type, text);
  }

  function parseGroup(field: FieldSchema, name: string): object | undefined {
    const members = Object.entries(field.properties ?? {})
      .map(([key, member]) => [key, parseField(member, `${name}.${key}`)] as const)
      .filter(([, value]) => value !== undefined);
    return members.length > 0 ? Object.fromEntries(members) : undefined;
  }

  /** In the order of their numbers, which can have gaps; one more than allowed shows that there are too many. */
  function listEntries(name: string, maxItems = MAX_ENTRIES): string[] {
    const numbers = names.flatMap((one) => {
      const [, number] = /^\[(\d{1,3})\]\./.exec(one.startsWith(name) ? one.slice(name.length) : '') ?? [];
      return number === undefined ? [] : [Number(number)];
    });
    return [...new Set(numbers)]
      .sort((a, b) => a - b)
      .slice(0, maxItems + 1)
      .map((number) => `${name}[${number}]`);
  }
}

function toList<Item>(items: readonly (Item | undefined)[]): Item[] | undefined {
  const present = items.filter((item) => item !== undefined);
  return present.length > 0 ? present : undefined;
}

/** Texts keep their blanks: they can be part of a password. */
function parseText(type: FieldType, text: string): unknown {
  const trimmed = text.trim();
  switch (type) {
    case 'number':
      return /^-?\d{1,15}(?:[.,]\d{1,15})?(?:e-?\d{1,2})?$/.test(trimmed)
        ? Number(trimmed.replace(',', '.'))
        : trimmed;
    case 'yesOrNo':
      return trimmed === 'true' || (trimmed === 'false' ? false : trimmed);
    case 'country':
      return trimmed.toUpperCase();
    case 'url':
      return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
    case 'line':
    case 'text':
    case 'choice':
      return text;
    default:
      return trimmed;
  }
}

const ERROR_CODES: Partial<Record<FieldType, string>> = {
  phone: 'BAD_PHONE',
  email: 'BAD_EMAIL',
  url: 'BAD_URL',
  country: 'BAD_COUNTRY',
  date: 'BAD_DATE',
  partialDate: 'BAD_DATE',
  dateTime: 'BAD_DATE',
  number: 'BAD_NUMBER',
};

/** Say of a broken format which one it is, and move the errors of single lines to the field that has them all. */
export function toFormErrors(schema: FieldSchema, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => {
    const { path, field } = findField(schema, error.field);
    const isFormat = ['BAD_FORMAT', 'WRONG_TYPE'].includes(error.code);
    const code = (isFormat && field && ERROR_CODES[getFieldType(field)]) || error.code;
    return { ...error, field: path, code };
  });
}

/** The schema of a path such as `data.allergies[0].name`; that of a single line is its list. */
function findField(schema: FieldSchema, path: string): { path: string; field: FieldSchema | undefined } {
  if (!path.startsWith('data.')) return { path, field: undefined };
  let field: FieldSchema | undefined = schema;
  let walked = 'data';
  for (const step of path.slice('data'.length).match(/\.[^.[]+|\[\d+\]/g) ?? []) {
    if (step.startsWith('[') && field && getFieldType(field) === 'lines') return { path: walked, field };
    field = step.startsWith('[') ? field?.items : field?.properties?.[step.slice(1)];
    walked += step;
  }
  return { path, field };
}

/** Compute what tells whether a value has changed since a form was made of it. */
export function computeFingerprint(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 8);
}
