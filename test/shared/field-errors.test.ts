import {
  FREE_TEXT_PATTERN,
  NON_BLANK_LINE_PATTERN,
  NON_BLANK_TEXT_PATTERN,
  SINGLE_LINE_PATTERN,
} from '../../src/shared/common.schemas.ts';
import {
  formatFieldPath,
  type SchemaValidationError,
  sanitizeFieldName,
  takeSchemaValidationErrors,
  toFieldErrors,
} from '../../src/shared/field-errors.ts';
import { t } from '../tap.ts';

function createSchemaError(
  keyword: string,
  instancePath = '',
  params: SchemaValidationError['params'] = {},
): SchemaValidationError {
  return { keyword, instancePath, params };
}

t.test('reports one error per field by priority, whatever the order of the validator', (t) => {
  const faults = [
    createSchemaError('pattern', '/title'),
    createSchemaError('maxLength', '/size', { limit: 3 }),
    createSchemaError('minLength', '/title', { limit: 1 }),
    createSchemaError('type', '/size', { type: ['string', 'null'] }),
    createSchemaError('something new', '/note'),
    createSchemaError('format', '/note', { format: 'date' }),
  ];
  const expected = [
    { field: 'title', code: 'TOO_SHORT', message: 'Must have at least 1 character.' },
    { field: 'size', code: 'WRONG_TYPE', message: 'Must be of type string or null.' },
    { field: 'note', code: 'BAD_FORMAT', message: 'Must have the format date.' },
  ];
  t.same(toFieldErrors(faults), expected);
  const turned = toFieldErrors([...faults].reverse());
  t.same(
    new Set(turned.map((error) => JSON.stringify(error))),
    new Set(expected.map((one) => JSON.stringify(one))),
  );
  t.end();
});

t.test('describes the required format, or the forbidden characters of a plain text', (t) => {
  const said = (pattern: string, parentSchema?: object) =>
    toFieldErrors([
      { ...createSchemaError('pattern', '/a', { pattern }), ...(parentSchema && { parentSchema }) },
    ])[0]?.message;
  const description = '4 to 12 digits.';
  t.equal(said('^[0-9]{4,12}$', { description }), 'Must match the format: 4 to 12 digits.');
  t.equal(said('^[A-Z]{3}$', {}), 'Must match ^[A-Z]{3}$');
  t.equal(said('^[A-Z]{3}$'), 'Must match ^[A-Z]{3}$');
  for (const pattern of [
    SINGLE_LINE_PATTERN,
    NON_BLANK_LINE_PATTERN,
    FREE_TEXT_PATTERN,
    NON_BLANK_TEXT_PATTERN,
  ])
    t.match(
      said(pattern, { description: 'A title.' }),
      /^Must (?:be|not) .*control (?:or invisible )?characters/,
    );
  t.end();
});

t.test('clears the errors of a validator, so that it keeps no sent values', (t) => {
  const faults = [createSchemaError('type', '/a')];
  const validator: { errors?: SchemaValidationError[] | null } = { errors: faults };
  t.equal(takeSchemaValidationErrors(validator), faults);
  t.equal(validator.errors, null);
  t.same(takeSchemaValidationErrors(validator), []);
  t.end();
});

t.test('reports a wrapper only without deeper errors', (t) => {
  t.match(
    toFieldErrors([
      createSchemaError('anyOf', '/a'),
      createSchemaError('required', '/a', { missingProperty: 'b' }),
    ]),
    [{ field: 'a.b', code: 'REQUIRED' }],
  );
  t.match(toFieldErrors([createSchemaError('anyOf', '/a')]), [{ field: 'a', code: 'NO_MATCH' }]);
  t.end();
});

t.test('formats safe paths of the request, below a prefix if there is one', (t) => {
  t.match(toFieldErrors([createSchemaError('type')]), [{ field: 'body' }]);
  t.match(toFieldErrors([createSchemaError('type')], 'data', 'data'), [{ field: 'data' }]);
  t.match(toFieldErrors([createSchemaError('type', '/a~1b/0/c~0d')], 'data', 'data'), [
    { field: 'data.a?b[0].c?d' },
  ]);
  t.equal(formatFieldPath(['allergies', '0', 'name'], ''), 'allergies[0].name');
  t.equal(sanitizeFieldName('<b>\u202e\n'), '?b???');
  t.equal(sanitizeFieldName('x'.repeat(200)).length, 64);
  t.end();
});

t.test('returns at most 50 field errors', (t) => {
  t.equal(
    toFieldErrors(Array.from({ length: 5_000 }, (_, n) => createSchemaError('type', `/${n}`))).length,
    50,
  );
  t.end();
});
