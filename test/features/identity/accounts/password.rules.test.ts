import { readFile } from 'node:fs/promises';
import {
  findPasswordErrors,
  loadCommonPasswords,
  SERVICE_WORDS,
} from '../../../../src/features/identity/accounts/password.rules.ts';
import { t } from '../../../tap.ts';

const TEST_EMAIL = 'Anna.Miller@example.com';

async function findProblemCodes(password: string, email = TEST_EMAIL): Promise<string[]> {
  return (await findPasswordErrors(password, email)).map((problem) => problem.code);
}

t.test('the minimum password length counts characters, and the maximum counts bytes', async (t) => {
  t.same(await findProblemCodes('x7#kQ2z'), ['TOO_SHORT']);
  t.same(await findProblemCodes('x7#kQ2z!'), []);
  t.same(await findProblemCodes('🐕🐈🐎🐖🐑🐐🐓'), ['TOO_SHORT'], 'seven characters of four bytes');
  t.same(await findProblemCodes('🐕🐈🐎🐖🐑🐐🐓🦆'), []);
  t.same(await findProblemCodes('ab'.repeat(512)), []);
  t.same(await findProblemCodes(`${'ab'.repeat(512)}c`), ['TOO_LONG']);
  t.same(await findProblemCodes('é'.repeat(513)), ['TOO_LONG']);
});

t.test('common passwords are rejected in any case', async (t) => {
  for (const password of ['password', '12345678', 'PassWord1', 'QWERTYUIOP', 'iloveyou']) {
    t.same(await findProblemCodes(password), ['TOO_COMMON'], password);
  }
  t.same(await findProblemCodes('123456'), ['TOO_SHORT', 'TOO_COMMON']);
  t.same(await findProblemCodes('correct horse battery'), []);
});

t.test(
  'passwords of nothing but words of the service are rejected, and the guide lists the words',
  async (t) => {
    for (const password of ['qrcode-2026', 'QR Profile Service', 'MemoryTag!', 'petPetpet'])
      t.same(await findProblemCodes(password), ['TOO_COMMON'], password);
    for (const password of ['my qr code is red', '48273-94617', 'profilers-scan', 'AdminOwner-2026'])
      t.same(await findProblemCodes(password), [], password);
    const guide = await readFile('docs/guides/accounts.md', 'utf8');
    const [, words = ''] = /words of the service[^:\n]*: ([a-z, ]+)\./.exec(guide) ?? [];
    t.same(words.split(', '), SERVICE_WORDS.toSorted());
  },
);

t.test('the email address and its local part are rejected as passwords', async (t) => {
  t.same(await findProblemCodes('anna.miller@EXAMPLE.com'), ['SAME_AS_EMAIL']);
  t.same(await findProblemCodes('ANNA.MILLER'), ['SAME_AS_EMAIL']);
  t.same(await findProblemCodes('anna.miller.2'), []);
});

t.test('every problem names the field password and repeats nothing of its value', async (t) => {
  const problems = await findPasswordErrors('secret', 'secret@example.com');
  t.same(
    problems.map(({ field, code }) => [field, code]),
    [
      ['password', 'TOO_SHORT'],
      ['password', 'SAME_AS_EMAIL'],
      ['password', 'TOO_COMMON'],
    ],
  );
  t.notMatch(JSON.stringify(problems), /secret/);
});

t.test('the list of common passwords is loaded once and is all lower case', async (t) => {
  const list = await loadCommonPasswords();
  t.equal(await loadCommonPasswords(), list);
  t.ok(list.size > 40_000);
  t.ok([...list].filter((password) => [...password].length >= 8).length > 3_000, 'long enough to be chosen');
  t.ok([...list].every((password) => password === password.toLowerCase()));
});
