import { FILLED_LINE, FILLED_TEXT, FREE_TEXT, ONE_LINE } from '../../src/shared/common.schemas.ts';
import {
  fieldErrors,
  fieldPath,
  type SchemaFault,
  shownName,
  takeFaults,
} from '../../src/shared/field-errors.ts';
import { t } from '../tap.ts';

function fault(keyword: string, instancePath = '', params: SchemaFault['params'] = {}): SchemaFault {
  return { keyword, instancePath, params };
}

t.test('one error a field: the first that a person needs, wherever the validator put it', (t) => {
  const faults = [
    fault('pattern', '/title'),
    fault('maxLength', '/size', { limit: 3 }),
    fault('minLength', '/title', { limit: 1 }),
    fault('type', '/size', { type: ['string', 'null'] }),
    fault('something new', '/note'),
    fault('format', '/note', { format: 'date' }),
  ];
  const expected = [
    { field: 'title', code: 'TOO_SHORT', message: 'Must have at least 1 character.' },
    { field: 'size', code: 'WRONG_TYPE', message: 'Must be of type string or null.' },
    { field: 'note', code: 'BAD_FORMAT', message: 'Must have the format date.' },
  ];
  t.same(fieldErrors(faults), expected);
  const turned = fieldErrors([...faults].reverse());
  t.same(
    new Set(turned.map((error) => JSON.stringify(error))),
    new Set(expected.map((one) => JSON.stringify(one))),
  );
  t.end();
});

t.test('a text that does not match is told what form it must have, or what a plain text keeps out', (t) => {
  const said = (pattern: string, parentSchema?: object) =>
    fieldErrors([{ ...fault('pattern', '/a', { pattern }), ...(parentSchema && { parentSchema }) }])[0]
      ?.message;
  const description = '4 to 12 digits.';
  t.equal(said('^[0-9]{4,12}$', { description }), 'Must have the form described: 4 to 12 digits.');
  t.equal(said('^[A-Z]{3}$', {}), 'Must match ^[A-Z]{3}$');
  t.equal(said('^[A-Z]{3}$'), 'Must match ^[A-Z]{3}$');
  for (const pattern of [ONE_LINE, FILLED_LINE, FREE_TEXT, FILLED_TEXT])
    t.match(said(pattern, { description: 'A title.' }), /^Must (?:be|not) .*control characters/);
  t.end();
});

t.test('the faults of a validator are taken once, so that it keeps nothing of what was sent', (t) => {
  const faults = [fault('type', '/a')];
  const validator: { errors?: SchemaFault[] | null } = { errors: faults };
  t.equal(takeFaults(validator), faults);
  t.equal(validator.errors, null);
  t.same(takeFaults(validator), []);
  t.end();
});

t.test('a wrapper is named only where nothing below it is', (t) => {
  t.match(fieldErrors([fault('anyOf', '/a'), fault('required', '/a', { missingProperty: 'b' })]), [
    { field: 'a.b', code: 'REQUIRED' },
  ]);
  t.match(fieldErrors([fault('anyOf', '/a')]), [{ field: 'a', code: 'NO_MATCH' }]);
  t.end();
});

t.test(
  'paths are those of the request, below a prefix where there is one, and can be shown anywhere',
  (t) => {
    t.match(fieldErrors([fault('type')]), [{ field: 'body' }]);
    t.match(fieldErrors([fault('type')], 'data', 'data'), [{ field: 'data' }]);
    t.match(fieldErrors([fault('type', '/a~1b/0/c~0d')], 'data', 'data'), [{ field: 'data.a?b[0].c?d' }]);
    t.equal(fieldPath(['allergies', '0', 'name'], ''), 'allergies[0].name');
    t.equal(shownName('<b>\u202e\n'), '?b???');
    t.equal(shownName('x'.repeat(200)).length, 100);
    t.end();
  },
);

t.test('G3 there are 50 at most', (t) => {
  t.equal(fieldErrors(Array.from({ length: 5_000 }, (_, n) => fault('type', `/${n}`))).length, 50);
  t.end();
});
