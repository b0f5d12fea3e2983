import { QR_CODE_KINDS } from '../../src/features/codes/kinds/all-kinds.ts';
import { findQrCodeDataErrors } from '../../src/features/codes/kinds/validate-data.ts';
import { findTextInputError } from '../../src/platform/http/unsafe-text.ts';
import { describeUnusualCharacter } from '../../src/shared/unusual-characters.ts';
import { OWN_ADDRESSES } from '../features/codes/kinds/own-addresses.ts';
import { t } from '../tap.ts';

function findMessages(kind: string, data: object): string[] {
  const definition = QR_CODE_KINDS.find((one) => one.kind === kind);
  return definition
    ? findQrCodeDataErrors(OWN_ADDRESSES, definition, data).map(({ message }) => message)
    : [];
}

t.test('an error names the blank or invisible character that a reader does not see', async (t) => {
  for (const [kind, data, named] of [
    ['URL', { url: 'https://example.com/a b' }, 'a space (U+0020) as character 22'],
    ['URL', { url: 'https://example.com/a\u00a0b' }, 'a no-break space (U+00A0) as character 22'],
    ['URL', { url: 'https://example.com/ ' }, 'a space (U+0020) as character 21'],
    ['URL', { url: '\u200bhttps://example.com/' }, 'a zero-width space (U+200B) as character 1'],
    ['URL', { url: 'https://example.com/\n' }, 'a line feed (U+000A) as character 21'],
    ['PET', { name: 'Rex\u202e' }, 'the character (U+202E) as character 4'],
    ['PET', { name: '\ufeffRex' }, 'a byte order mark (U+FEFF) as character 1'],
    ['PET', { name: '\u{1f415} Rex\u0007' }, 'the character (U+0007) as character 6'],
    ['PET', { name: 'Rex', bornOn: '2020-01-01 ' }, 'a space (U+0020) as character 11'],
    [
      'PET',
      { name: 'Rex', owner: { name: 'Ada', email: 'ada@ example.org' } },
      'a space (U+0020) as character 5',
    ],
    [
      'PET',
      { name: 'Rex', owner: { name: 'Ada', phone: '12 \u00adx' } },
      'a soft hyphen (U+00AD) as character 4',
    ],
    ['WIFI', { ssid: 'Net', password: '12345678', security: 'WPA ' }, 'a space (U+0020) as character 4'],
  ] as const)
    t.match(findMessages(kind, data), [` It has ${named}.`], JSON.stringify(data));
});

t.test('an error names no other character', async (t) => {
  for (const [kind, data] of [
    ['URL', { url: 'ftp://example.com/secret' }],
    ['PET', { name: 'Rex', owner: { name: 'Ada', phone: 'call me now' } }],
    ['PET', { name: 'Rex', bornOn: 'secret' }],
  ] as const) {
    t.equal(findMessages(kind, data).length, 1);
    t.notMatch(findMessages(kind, data).join(), /It has|secret/);
  }
  t.equal(describeUnusualCharacter('plain text', ' '), null);
  t.equal(describeUnusualCharacter('two\nlines', ' \n'), null);
});

t.test('a control character in any input is named', async (t) => {
  t.match(findTextInputError('ab\u0008'), {
    code: 'CONTROL_CHARACTER',
    message: 'Must not contain control characters. It has the character (U+0008) as character 3.',
  });
});
