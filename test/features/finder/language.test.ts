import t from 'tap';
import { ENGLISH, say, sayCount, sayWait } from '../../../src/features/finder/language.ts';
import { KINDS } from '../../../src/features/qrcodes/kinds/all-kinds.ts';

t.test('sentences take their values, and the right form for a number', async (t) => {
  t.equal(say('{a} and {b}', { a: '{b}', b: '2' }), '{b} and 2');
  t.equal(sayCount(ENGLISH, ENGLISH.sentences.pinTries, 1), 'One try is left.');
  t.equal(sayCount(ENGLISH, ENGLISH.sentences.pinTries, 4), '4 tries are left.');
});

t.test('a wait is said in whole minutes or hours, never shorter than it is', async (t) => {
  for (const [seconds, said] of [
    [1, 'one minute'],
    [60, 'one minute'],
    [61, '2 minutes'],
    [900, '15 minutes'],
    [90 * 60, '90 minutes'],
    [90 * 60 + 1, '2 hours'],
    [24 * 60 * 60, '24 hours'],
  ] as const) {
    t.equal(sayWait(ENGLISH, seconds), `Wait ${said}, then try again.`);
  }
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
