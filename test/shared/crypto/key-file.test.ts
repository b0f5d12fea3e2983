import {
  formatKeyFile,
  keySetOf,
  keysOfVariable,
  newKey,
  parseKeyFile,
  promoted,
  retired,
  waitingKey,
} from '../../../src/shared/crypto/key-file.ts';
import { t } from '../../tap.ts';
import { testKey } from './keys.ts';

const AT = new Date('2026-11-21T12:00:00.000Z');
const keys = keysOfVariable(`k2:${testKey('k2')},k1:${testKey('k1')}`, AT);

t.test('A file says of each key what it is for, and reads as it was written', async (t) => {
  t.same(
    keys.map(({ id, state }) => `${id} ${state}`),
    ['k2 PRIMARY', 'k1 DECRYPT'],
  );
  t.same(parseKeyFile(formatKeyFile(keys)), keys);
  t.equal(keySetOf(keys.toReversed()).primary, 'k2');
});

t.test('A key waits, becomes the primary one, and goes', async (t) => {
  const key = newKey(['k2', 'k1', 'k7', 'old'], new Date(AT.getTime() + 1));
  t.match(key, { id: 'k8', state: 'DECRYPT' });
  t.equal(waitingKey(keys), undefined);
  const added = [...keys, key];
  t.equal(waitingKey(added)?.id, 'k8');
  t.equal(keySetOf(added).primary, 'k2');
  const changed = promoted(added, 'k8');
  t.equal(waitingKey(changed), undefined);
  t.equal(keySetOf(changed).primary, 'k8');
  const rest = retired(changed, 'k1');
  t.same([...keySetOf(rest).keys.keys()], ['k8', 'k2']);
  t.notOk(formatKeyFile(rest).includes(testKey('k1')), 'the bytes of a retired key are gone');
  t.same(parseKeyFile(formatKeyFile(rest)), rest);
});
