import { checkFile, findBannedWord, formatBannedName, splitWords } from '../../scripts/check-names.ts';
import { t } from '../tap.ts';

t.test('a name is split into words', async (t) => {
  t.same(splitWords('MAX_rowsOfOTP2'), ['max', 'rows', 'of', 'otp']);
  t.same(splitWords('parseHTTPHeader'), ['parse', 'http', 'header']);
  t.same(splitWords('read-batch'), ['read', 'batch']);
});

t.test('each kind of declaration is checked and reported with its line', async (t) => {
  const source = [
    "import { tellOwner } from './b.ts';",
    'export const MOST_ROWS = 1;',
    'function whisper(news: string): void {}',
    'class Teller { vault = 1; }',
    'interface Lane { pace: number }',
    'type Deed = { desk: 1 };',
    'const { id: holder } = { id: 1, mended: 2 };',
    'enum Door { Rehearsal }',
    'whisper(tellOwner.told);',
    "const text = 'told by a teller'; // damage",
  ].join('\n');
  t.same(
    checkFile('src/told-owner.ts', source).map(({ line, word }) => `${line} ${word}`),
    [
      '1 told',
      '2 most',
      '3 whisper',
      '3 news',
      '4 teller',
      '4 vault',
      '5 lane',
      '5 pace',
      '6 deed',
      '6 desk',
      '7 holder',
      '7 mended',
      '8 door',
      '8 rehearsal',
    ],
  );
});

t.test('a banned word is allowed where it is a standard term', async (t) => {
  t.match(findBannedWord('sealField', 'src/shared/crypto/cipher.ts'), { word: 'seal' });
  t.equal(findBannedWord('sealNextBatch', 'src/features/audit/seal.job.ts'), undefined);
  t.match(findBannedWord('openGlass', 'src/a.ts'), { word: 'glass' });
  t.equal(findBannedWord('breakGlassGrant', 'src/a.ts'), undefined);
  t.match(findBannedWord('LEAST_ROWS', 'src/a.ts'), { word: 'least' });
  t.equal(findBannedWord('isAtLeast', 'src/a.ts'), undefined);
  t.match(findBannedWord('runInTurn', 'src/a.ts'), { word: 'turn' });
  t.equal(findBannedWord('returnValue', 'src/a.ts'), undefined);
  t.equal(findBannedWord('placeholder', 'src/a.ts'), undefined);
});

t.test('a message has the location, the word and its replacement', async (t) => {
  const [first] = checkFile('src/a.ts', 'const whisper = 1;');
  t.equal(first && formatBannedName(first), 'src/a.ts:1 whisper: instead of "whisper" use ephemeral event');
});
