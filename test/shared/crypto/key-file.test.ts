import {
  createKeyFileEntry,
  findUnpromotedKey,
  formatKeyFile,
  parseKeyFile,
  parseKeyVariable,
  promoteKeyFileEntry,
  retireKeyFileEntry,
  toKeySet,
} from '../../../src/shared/crypto/key-file.ts';
import { t } from '../../tap.ts';
import { createTestKey } from './test-keys.ts';

const AT = new Date('2026-11-21T12:00:00.000Z');
const keys = parseKeyVariable(`k2:${createTestKey('k2')},k1:${createTestKey('k1')}`, AT);

t.test('round-trips the states of a key file', async (t) => {
  t.same(
    keys.map(({ id, state }) => `${id} ${state}`),
    ['k2 PRIMARY', 'k1 DECRYPT'],
  );
  t.same(parseKeyFile(formatKeyFile(keys)), keys);
  t.equal(toKeySet(keys.toReversed()).primary, 'k2');
});

t.test('a key is added, promoted and retired', async (t) => {
  const key = createKeyFileEntry(['k2', 'k1', 'k7', 'old'], new Date(AT.getTime() + 1));
  t.match(key, { id: 'k8', state: 'DECRYPT' });
  t.equal(findUnpromotedKey(keys), undefined);
  const added = [...keys, key];
  t.equal(findUnpromotedKey(added)?.id, 'k8');
  t.equal(toKeySet(added).primary, 'k2');
  const changed = promoteKeyFileEntry(added, 'k8');
  t.equal(findUnpromotedKey(changed), undefined);
  t.equal(toKeySet(changed).primary, 'k8');
  const rest = retireKeyFileEntry(changed, 'k1');
  t.same([...toKeySet(rest).keys.keys()], ['k8', 'k2']);
  t.notOk(formatKeyFile(rest).includes(createTestKey('k1')), 'the bytes of a retired key are gone');
  t.same(parseKeyFile(formatKeyFile(rest)), rest);
});

t.test('refuses two primary keys and an id that occurs twice', async (t) => {
  const file = (...entries: typeof keys) => formatKeyFile(entries);
  const [primary, other] = keys;
  if (!primary || !other) throw new Error('There are two keys.');
  t.throws(() => parseKeyFile(file({ ...primary, state: 'DECRYPT' }, other)), /0 primary keys/);
  t.throws(() => parseKeyFile(file(primary, { ...other, state: 'PRIMARY' })), /2 primary keys/);
  const retired = retireKeyFileEntry([primary, other], other.id);
  t.throws(() => parseKeyFile(file(...retired, other)), /has a key id twice/);
});
