import { Ajv2020 } from 'ajv/dist/2020.js';
import { extendBaseSchemas, simplifySchemas } from '../../src/platform/openapi-schemas.ts';
import { SINGLE_LINE_PATTERN } from '../../src/shared/common.schemas.ts';
import { t } from '../tap.ts';

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'hi', 'it'];
const LONG_DESCRIPTION = 'What this field is. '.repeat(20);

function createMap(names: readonly string[]) {
  const fields = names.map((name) => [name, { type: 'string', title: name.toUpperCase() }]);
  return { type: 'object', properties: Object.fromEntries(fields), additionalProperties: false };
}

t.test('a closed object of equal fields becomes a map that allows the same names and values', async (t) => {
  const schema = createMap(LANGUAGES);
  simplifySchemas(schema);
  t.notOk('properties' in schema);
  const isValid = new Ajv2020().compile(schema);
  t.ok(isValid({}));
  t.ok(isValid({ de: 'Kostenlos', it: 'Gratis' }));
  t.notOk(isValid({ de: 1 }), 'the type of a value');
  t.notOk(isValid({ xx: 'Free' }), 'an unknown name');
});

t.test('other objects keep their fields', async (t) => {
  const small = createMap(LANGUAGES.slice(1));
  const open = { ...createMap(LANGUAGES), additionalProperties: true };
  const mixed = createMap(LANGUAGES);
  mixed.properties.en = { type: 'string', minLength: 1 };
  for (const schema of [small, open, mixed]) {
    simplifySchemas(schema);
    t.ok(schema.properties);
  }
});

t.test('fields lose their titles and long patterns, but not a field named title', async (t) => {
  const schema = {
    title: 'Book',
    properties: { title: { type: 'string', title: 'Title', pattern: SINGLE_LINE_PATTERN } },
  };
  simplifySchemas(schema);
  t.same(schema, { title: 'Book', properties: { title: { type: 'string', format: 'single-line' } } });
});

t.test('a schema with all fields of another one extends it', async (t) => {
  const id = { type: 'string', description: LONG_DESCRIPTION };
  const item = { type: 'object', required: ['id'], properties: { id } };
  const note = { type: 'string' };
  const schemas: Record<string, object> = {
    Details: {
      type: 'object',
      required: ['id', 'note'],
      properties: { id, note },
      description: 'One item.',
    },
    Item: item,
    Same: { type: 'object', properties: { id, note }, description: 'With the same fields.' },
    Change: { type: 'object', properties: { id, note } },
    Closed: { ...item, additionalProperties: false },
    Other: { ...item, properties: { id: { ...id, maxLength: 5 } } },
  };
  const { Change, Closed, Other } = schemas;
  extendBaseSchemas(schemas);
  t.same(schemas.Details, {
    type: 'object',
    allOf: [{ $ref: '#/components/schemas/Change' }],
    required: ['id', 'note'],
    description: 'One item.',
  });
  t.same(schemas.Item, item);
  t.same(schemas.Same, { $ref: '#/components/schemas/Change', description: 'With the same fields.' });
  t.same({ Change, Closed, Other }, { Change: schemas.Change, Closed: schemas.Closed, Other: schemas.Other });
  const ajv = new Ajv2020({ schemas: [{ $id: 'document', components: { schemas } }], strict: false });
  const isValid = ajv.compile({ $ref: 'document#/components/schemas/Details' });
  t.ok(isValid({ id: 'a', note: 'b' }));
  t.notOk(isValid({ id: 'a' }), 'its own fields are required');
});
