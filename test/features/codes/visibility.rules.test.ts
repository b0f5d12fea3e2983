import { parseQrCodeKind, QR_CODE_KINDS } from '../../../src/features/codes/kinds/all-kinds.ts';
import type { QrCodeKindDefinition } from '../../../src/features/codes/kinds/kind-definition.ts';
import {
  filterVisibleFields,
  findFieldVisibilityErrors,
  resolveFieldVisibilities,
} from '../../../src/features/codes/visibility.rules.ts';
import { t } from '../../tap.ts';

function kind(name: string): QrCodeKindDefinition {
  const found = parseQrCodeKind(name);
  if (found === null) throw new Error(`no kind ${name}`);
  return found;
}

t.test('an unknown field or value is an error that names the field', async (t) => {
  const input = JSON.parse(
    '{"name":"PUBLIC","adress":"PRIVATE","owner":"public","__proto__":"PUBLIC","toString":"PIN"}',
  );
  t.same(
    findFieldVisibilityErrors(kind('PET'), input).map(({ field, code }) => `${field} ${code}`),
    [
      'visibility.adress UNKNOWN_FIELD',
      'visibility.owner NOT_ALLOWED',
      'visibility.__proto__ UNKNOWN_FIELD',
      'visibility.toString UNKNOWN_FIELD',
    ],
  );
  t.same(findFieldVisibilityErrors(kind('PET'), { name: 'PRIVATE', address: 'PIN' }), []);
});

t.test(
  'by default contact, address and health fields are private, or need the PIN if there is one',
  async (t) => {
    const hidden =
      /address|owner|contact|doctor|vet$|allergies|medications|conditions|bloodType|insurance|verifier/i;
    for (const each of QR_CODE_KINDS.slice(0, 7)) {
      const [defaults, pinDefaults] = [false, true].map((hasPin) =>
        resolveFieldVisibilities(each, {}, hasPin),
      );
      for (const field of Object.keys(each.defaultVisibility).filter((name) => hidden.test(name))) {
        t.equal(defaults?.[field], 'PRIVATE', `${each.kind}.${field} without a PIN`);
        t.match(pinDefaults?.[field], /^(PIN|PRIVATE)$/, `${each.kind}.${field} with a PIN`);
      }
      t.equal(defaults?.name, 'PUBLIC', `${each.kind} shows its name`);
    }
  },
);

t.test('a PIN hides the password of a network, but not its name', async (t) => {
  t.match(resolveFieldVisibilities(kind('WIFI'), {}, false), { ssid: 'PUBLIC', password: 'PUBLIC' });
  t.match(resolveFieldVisibilities(kind('WIFI'), {}, true), { ssid: 'PUBLIC', password: 'PIN' });
});

t.test('the owner’s setting overrides the default, and the result has every field', async (t) => {
  const resolved = resolveFieldVisibilities(kind('PET'), { name: 'PRIVATE', address: 'PUBLIC' }, true);
  t.match(resolved, { name: 'PRIVATE', address: 'PUBLIC', vet: 'PIN' });
  t.same(Object.keys(resolved), Object.keys(kind('PET').defaultVisibility));
});

t.test('filters fields for a finder, a finder with the PIN, and the owner', async (t) => {
  const data = { secret: 3, open: 1, pin: 2, unnamed: 4 };
  const visibility = { open: 'PUBLIC', pin: 'PIN', secret: 'PRIVATE' } as const;
  t.same(filterVisibleFields('FINDER', data, visibility), { open: 1 });
  t.same(filterVisibleFields('PIN', data, visibility), { open: 1, pin: 2 });
  t.same(filterVisibleFields('OWNER', data, visibility), data);
});

t.test('returns null if no field is visible', async (t) => {
  t.equal(filterVisibleFields('FINDER', { a: 1 }, { a: 'PRIVATE' }), null);
  t.equal(filterVisibleFields('FINDER', { a: 1 }, {}), null);
  const inherited: Record<string, 'PUBLIC'> = JSON.parse('{"a":"PUBLIC","toString":"PUBLIC"}');
  t.equal(filterVisibleFields('FINDER', {}, inherited), null);
  t.equal(filterVisibleFields('OWNER', {}, {}), null);
});

t.test('by default every kind shows a finder some of its example', async (t) => {
  for (const each of QR_CODE_KINDS)
    t.not(
      filterVisibleFields('FINDER', each.example, resolveFieldVisibilities(each, {}, false)),
      null,
      each.kind,
    );
});
