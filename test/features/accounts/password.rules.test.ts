import { loadCommonPasswords, passwordProblems } from '../../../src/features/accounts/password.rules.ts';
import { t } from '../../tap.ts';

const EMAIL = 'Anna.Miller@example.com';

async function codes(password: string, email = EMAIL): Promise<string[]> {
  return (await passwordProblems(password, email)).map((problem) => problem.code);
}

t.test('A5 the length is counted in characters below and in bytes above', async (t) => {
  t.same(await codes('x7#kQ2z'), ['TOO_SHORT']);
  t.same(await codes('x7#kQ2z!'), []);
  t.same(await codes('🐕🐈🐎🐖🐑🐐🐓'), ['TOO_SHORT'], 'seven characters of four bytes');
  t.same(await codes('🐕🐈🐎🐖🐑🐐🐓🦆'), []);
  t.same(await codes('ab'.repeat(512)), []);
  t.same(await codes(`${'ab'.repeat(512)}c`), ['TOO_LONG']);
  t.same(await codes('é'.repeat(513)), ['TOO_LONG']);
});

t.test('A5 common passwords are refused in any case', async (t) => {
  for (const password of ['password', '12345678', 'PassWord1', 'QWERTYUIOP', 'iloveyou']) {
    t.same(await codes(password), ['TOO_COMMON'], password);
  }
  t.same(await codes('123456'), ['TOO_SHORT', 'TOO_COMMON']);
  t.same(await codes('correct horse battery'), []);
});

t.test('A5 the e-mail address and the part before its @ are no passwords', async (t) => {
  t.same(await codes('anna.miller@EXAMPLE.com'), ['SAME_AS_EMAIL']);
  t.same(await codes('ANNA.MILLER'), ['SAME_AS_EMAIL']);
  t.same(await codes('anna.miller.2'), []);
});

t.test('Every problem is of the field password and repeats nothing of it', async (t) => {
  const problems = await passwordProblems('secret', 'secret@example.com');
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

t.test('The list is loaded once and is all lower case', async (t) => {
  const list = await loadCommonPasswords();
  t.equal(await loadCommonPasswords(), list);
  t.ok(list.size > 40_000);
  t.ok([...list].every((password) => password === password.toLowerCase()));
});
