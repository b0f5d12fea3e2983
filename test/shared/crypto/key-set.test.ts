import { randomBytes } from 'node:crypto';
import {
  computeKeyCheckValues,
  findKeyCheckProblems,
  parseKeySet,
} from '../../../src/shared/crypto/key-set.ts';
import { t } from '../../tap.ts';
import { createTestKey, createTestKeySet } from './test-keys.ts';

t.test('parses all keys, the first as primary', async (t) => {
  const set = parseKeySet(`k2:${createTestKey('b')}, k1:${createTestKey('a').replace('=', '')}`);
  t.equal(set.primary, 'k2');
  t.same([...set.keys.keys()], ['k2', 'k1']);
  t.equal(set.keys.get('k1')?.export().toString('base64'), createTestKey('a'));
});

t.test('accepts random keys', async (t) => {
  for (let round = 0; round < 2000; round += 1) parseKeySet(`k:${randomBytes(32).toString('base64')}`);
  for (let round = 0; round < 2000; round += 1) parseKeySet(`k:${randomBytes(32).toString('base64url')}`);
  t.pass('4,000 keys of chance were taken');
});

t.test('rejects a key that is not 32 random bytes without repeating it', async (t) => {
  const counting = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
  const refused = {
    'not of the form': createTestKey('a'),
    'has an id': `Key-1:${createTestKey('a')}`,
    'not 32 bytes in base64': `k1:${randomBytes(16).toString('base64')}`,
    'is text': `k1:${Buffer.from('change-me-change-me-change-me-00').toString('base64')}`,
    'is a repeating pattern': `k1:${Buffer.alloc(32).toString('base64')}`,
    'pattern and not': `k1:${counting.toString('base64')}`,
    'id of an earlier one': `k1:${createTestKey('a')},k1:${createTestKey('b')}`,
    'copy of an earlier one': `k1:${createTestKey('a')},k2:${createTestKey('a')}`,
  };
  for (const [reason, text] of Object.entries(refused)) {
    const material = text.slice(text.indexOf(':') + 1, text.indexOf(':') + 20);
    const message = refusalOf(text);
    t.match(message, new RegExp(reason));
    t.notOk(message.includes(material), `${reason}: nothing of the key is repeated`);
  }
  t.throws(() => parseKeySet(''));
});

t.test('reports all problems in one error', async (t) => {
  const text = `A:${createTestKey('a')},k2:short,k3:${Buffer.alloc(32, 7).toString('base64')}`;
  t.throws(() => parseKeySet(text), { message: /key 1 .*; key 2 .*; key 3 / });
});

t.test('detects keys that differ from those of the database', async (t) => {
  const stored = computeKeyCheckValues(createTestKeySet('k1', 'k2'));
  t.match(stored, [
    { id: 'k1', checkValue: /^[0-9a-f]{32}$/ },
    { id: 'k2', checkValue: /^[0-9a-f]{32}$/ },
  ]);
  t.same(findKeyCheckProblems(createTestKeySet('k3', 'k1', 'k2'), stored), [], 'a further key is fine');
  t.match(findKeyCheckProblems(createTestKeySet('k1'), stored), [/k2 .*is missing/]);
  t.match(findKeyCheckProblems(parseKeySet(`k1:${createTestKey('x')},k2:${createTestKey('k2')}`), stored), [
    /k1 is not the one/,
  ]);
});

function refusalOf(text: string): string {
  try {
    parseKeySet(text);
    return 'was taken';
  } catch (error) {
    return String(error);
  }
}
