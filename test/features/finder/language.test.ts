import t from 'tap';
import { ENGLISH, say, sayCount } from '../../../src/features/finder/language.ts';
import { KINDS } from '../../../src/features/qrcodes/kinds/index.ts';

t.test('sentences take their values, and the right form for a number', async (t) => {
  t.equal(say('{a} and {b}', { a: '{b}', b: '2' }), '{b} and 2');
  t.equal(sayCount(ENGLISH, ENGLISH.sentences.pinTries, 1), 'One try is left.');
  t.equal(sayCount(ENGLISH, ENGLISH.sentences.pinTries, 0), '0 tries are left.');
});

t.test('every word that a kind knows has its translation', async (t) => {
  const words = new Set<string>();
  JSON.stringify(
    KINDS.map(({ schema }) => schema),
    (key, value) => {
      if (key === 'enum') for (const word of value) words.add(word);
      return value;
    },
  );
  t.ok(words.size > 20);
  const known = Object.keys(ENGLISH.sentences.words);
  // Blood groups are the same everywhere.
  const missing = [...words].filter((word) => !known.includes(word) && !/^(?:A|B|AB|O)[+-]$/.test(word));
  t.same(missing, []);
});
