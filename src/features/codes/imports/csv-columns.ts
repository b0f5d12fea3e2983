import { isPrototypePath } from '../../../platform/http/unsafe-text.ts';
import { QrCodeDesignInputSchema } from '../../../platform/qr-image/design.schemas.ts';
import { unescapeFormulasAfterSemicolons } from '../../../platform/table-export.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { parseQrCodeKind, QR_CODE_KINDS } from '../kinds/all-kinds.ts';
import { PAGE_DESIGN_MEMBERS } from '../page-design.rules.ts';
import { QrCodeItem } from '../qrcodes.schemas.ts';

const TEXT_COLUMNS = [
  'kind',
  'title',
  'mode',
  'externalId',
  'status',
  'pin',
  'expiresAt',
  'notifyOn',
  'visibilityPreset',
  'folder',
];

const BOOLEAN_COLUMNS = ['contactable', 'showsPage'];

/** A column of its own has JSON; with a field, as in `data.name`, that field. */
const OBJECT_COLUMNS = ['data', 'visibility', 'metadata', 'design', 'pageDesign'];

const REQUIRED_COLUMNS = ['kind', 'title'];

const KNOWN_COLUMNS = new Set([...TEXT_COLUMNS, ...BOOLEAN_COLUMNS, ...OBJECT_COLUMNS]);

/** In a file of rejected rows: why. */
export const ERRORS_COLUMN = 'importErrors';

/** Columns of an export, and of a file of rejected rows, that an import leaves out. */
const IGNORED_COLUMNS = new Set([
  ...Object.keys(QrCodeItem.properties).filter((name) => !KNOWN_COLUMNS.has(name)),
  ERRORS_COLUMN,
]);

const MAX_COLUMNS = 200;

const MAX_COLUMN_CHARACTERS = 100;

const MAX_PATH_STEPS = 4;

export interface CsvColumn {
  /** As in an export; empty for a column that the header does not name. */
  name: string;
  /** As in the file. */
  label: string;
  /** By the mapping. */
  isIgnored?: boolean;
}

/** What the columns of a file are, where its header does not say it. */
export interface ColumnMapping {
  /** Of rows that have none. */
  kind: string | null;
  /** Name of each column in the order of the file, null for one to leave out; empty where the header decides. */
  columns: (string | null)[];
}

/** What `createTableExportStream` puts an apostrophe before. */
const ESCAPED_FORMULA_PATTERN = /^'[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Names of fields by their letters: spreadsheets and people change case and add blanks. */
const FIELDS_BY_LETTERS = new Map(
  QR_CODE_KINDS.flatMap(({ schema }) => listFieldNames(schema)).map((name) => [toLetters(name), name]),
);

const MEMBERS_BY_LETTERS = new Map(
  [...Object.keys(QrCodeDesignInputSchema.properties), ...Object.keys(PAGE_DESIGN_MEMBERS)].map((name) => [
    toLetters(name),
    name,
  ]),
);

const COLUMNS_BY_LETTERS = new Map(
  [...KNOWN_COLUMNS, ...IGNORED_COLUMNS].map((name) => [toLetters(name), name]),
);

export function toCsvColumns(cells: readonly string[], mapping: ColumnMapping | null = null): CsvColumn[] {
  const columns = cells.map((cell, index): CsvColumn => {
    const label = cell.trim();
    const name = mapping?.columns[index];
    if (name === null) return { name: '', label, isIgnored: true };
    return { name: toColumnName(name || cell), label };
  });
  // Spreadsheets write columns that were used once.
  return columns.slice(0, columns.findLastIndex(({ name, isIgnored }) => name !== '' || isIgnored) + 1);
}

/** Convert the text of a header to the name of its column, whatever its case and blanks; other text stays. */
export function toColumnName(text: string): string {
  const [first = '', ...rest] = text.trim().split('.');
  const root = COLUMNS_BY_LETTERS.get(toLetters(first)) ?? first;
  if (rest.length === 0 || !OBJECT_COLUMNS.includes(root)) return [root, ...rest].join('.');
  // Names of metadata are the owner's.
  if (root === 'metadata') return `metadata.${rest.join('.').trim()}`;
  const names = root === 'data' || root === 'visibility' ? FIELDS_BY_LETTERS : MEMBERS_BY_LETTERS;
  return [root, ...rest.map((step) => names.get(toLetters(step)) ?? step.trim())].join('.');
}

/** Find unknown, repeated and missing columns. */
export function findCsvHeaderErrors(
  columns: readonly CsvColumn[],
  mapping: ColumnMapping | null = null,
): FieldError[] {
  const named = columns.filter(({ name }) => name !== '');
  if (columns.length > MAX_COLUMNS)
    return [{ field: 'file', code: 'TOO_MANY', message: `Must have at most ${MAX_COLUMNS} columns.` }];
  const names = named.map(({ name }) => name);
  const unknown = named.filter(({ name }) => !isKnownColumn(name));
  if (names.length <= 1 && unknown.length === names.length) return [NO_COLUMNS_ERROR];
  const repeated = named.filter(({ name }, index) => names.indexOf(name) < index);
  const missing = REQUIRED_COLUMNS.filter((name) => !names.includes(name) && !isImplied(name));
  return [
    ...toHeaderErrors(unknown, 'UNKNOWN_FIELD', 'Is not a column of an import.'),
    ...toHeaderErrors(repeated, 'REPEATED', 'Must not be repeated.'),
    ...toHeaderErrors(
      missing.map((name) => ({ label: name })),
      'REQUIRED',
      'Must be a column.',
    ),
  ];

  function isImplied(name: string): boolean {
    if (mapping === null || mapping.kind === null) return false;
    return name === 'kind' || (names.includes(NAME_COLUMN) && isTitledByName(mapping.kind));
  }
}

const NAME_COLUMN = 'data.name';

/** Titles are not encrypted: the name of a person is in none that nobody wrote. */
function isTitledByName(kind: string): boolean {
  return parseQrCodeKind(kind)?.sensitive !== 'ALWAYS';
}

const NO_COLUMNS_ERROR: FieldError = {
  field: 'file',
  code: 'BAD_FORMAT',
  message: 'The first row must name columns, separated by commas, semicolons or tabs.',
};

/** Name a field of a code by its column as it stands in the file; other fields stay. */
export function toFileFieldName(columns: readonly CsvColumn[], field: string): string {
  const [column] = columns
    .filter(
      ({ name }) => name !== '' && field.startsWith(name) && /^(?:[.[]|$)/.test(field.slice(name.length)),
    )
    .toSorted((one, other) => other.name.length - one.name.length);
  return column ? `${toPrintableLabel(column.label)}${field.slice(column.name.length)}` : field;
}

/** Convert a row to a code as in JSON. An empty cell stands for an omitted field. */
export function parseCsvRow(
  columns: readonly CsvColumn[],
  cells: readonly string[],
  parseJson: (text: string) => unknown,
  mapping: ColumnMapping | null = null,
): Record<string, unknown> {
  const values = columns.flatMap(({ name, isIgnored }, index): [string, string][] => {
    const cell = unescapeFormula(cells[index] ?? '');
    return cell === '' || isIgnored || IGNORED_COLUMNS.has(name) ? [] : [[name, cell]];
  });
  const { kind: defaultKind = null } = mapping ?? {};
  if (defaultKind !== null && !values.some(([name]) => name === 'kind'))
    values.unshift(['kind', defaultKind]);
  const nameValue = values.find(([column]) => column === NAME_COLUMN);
  const isUntitled = defaultKind !== null && !columns.some(({ name: column }) => column === 'title');
  if (isUntitled && nameValue && isTitledByName(defaultKind)) values.push(['title', nameValue[1]]);
  const kindName = values.find(([name]) => name === 'kind')?.[1] ?? '';
  const dataSchema = parseQrCodeKind(kindName)?.schema;
  // Validation then names the field of `data` that is missing.
  const item: Record<string, unknown> = columns.some(({ name }) => name.startsWith('data.'))
    ? { data: {} }
    : {};
  for (const [name, text] of values) {
    const path = toPath(name);
    const isText = path[0] === 'data' && path.length > 1 ? isTextField(dataSchema, path.slice(1)) : false;
    setMember(item, path, isText || isTextColumn(path) ? text : parseValue(text, path, parseJson));
  }
  return item;
}

export function isKnownColumn(name: string): boolean {
  if (KNOWN_COLUMNS.has(name) || IGNORED_COLUMNS.has(name)) return true;
  const path = toPath(name);
  if (name.length > MAX_COLUMN_CHARACTERS || isPrototypePath(name)) return false;
  if (path.length > MAX_PATH_STEPS || path.includes('')) return false;
  return path.length > 1 && OBJECT_COLUMNS.includes(path[0] ?? '');
}

/** Only content has members within members; names of metadata can have dots. */
function toPath(name: string): string[] {
  if (name.startsWith('data.')) return name.split('.');
  const dot = name.indexOf('.');
  return dot === -1 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

function isTextColumn([first = '', second]: readonly string[]): boolean {
  if (second === undefined) return TEXT_COLUMNS.includes(first);
  return first === 'metadata' || first === 'visibility';
}

/** Unknown fields count as text: validation names them. */
function isTextField(schema: unknown, path: readonly string[]): boolean {
  let field = schema;
  for (const step of path) field = Reflect.get(Object(Reflect.get(Object(field), 'properties')), step);
  return field === undefined || Reflect.get(Object(field), 'type') === 'string';
}

/** Text that is not JSON stays, so that validation names its field. */
function parseValue(
  text: string,
  [name = '']: readonly string[],
  parseJson: (text: string) => unknown,
): unknown {
  // Spreadsheets write TRUE and FALSE.
  const json = BOOLEAN_COLUMNS.includes(name) || /^(?:true|false)$/i.test(text) ? text.toLowerCase() : text;
  try {
    return parseJson(json);
  } catch {
    return text;
  }
}

function setMember(item: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let target = item;
  for (const step of path.slice(0, -1)) {
    const inner = Object.hasOwn(target, step) ? target[step] : undefined;
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    target[step] = next;
    target = next;
  }
  target[path.at(-1) ?? ''] = value;
}

/** Restore the text of a cell as exports escape it. */
export function unescapeFormula(cell: string): string {
  return unescapeFormulasAfterSemicolons(ESCAPED_FORMULA_PATTERN.test(cell) ? cell.slice(1) : cell);
}

function toHeaderErrors(
  columns: readonly Pick<CsvColumn, 'label'>[],
  code: string,
  message: string,
): FieldError[] {
  return columns
    .slice(0, 20)
    .map(({ label }) => ({ field: `file.${toPrintableLabel(label)}`, code, message }));
}

/** Truncate the name of a column for an error. */
export function toPrintableLabel(label: string): string {
  return label.slice(0, 100).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}

function toLetters(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, '');
}

function listFieldNames(schema: unknown): string[] {
  const { properties = {}, items } = Object(schema);
  const own = Object.entries(properties).flatMap(([name, field]) => [name, ...listFieldNames(field)]);
  return items === undefined ? own : [...own, ...listFieldNames(items)];
}
