import {
  createMailUnsubscribeUrl,
  verifyMailUnsubscribeToken,
} from '../../../src/features/mail/unsubscribe-token.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { createHashCipher } from '../../hash-cipher.ts';
import { t } from '../../tap.ts';

t.test('a link to unsubscribe is of one subject and one kind of mail, and is signed', async (t) => {
  const fieldCipher = createHashCipher();
  const subject = { subjectId: generateId(), mailKind: 'SCAN' };
  const url = createMailUnsubscribeUrl({ fieldCipher, publicBaseUrl: 'https://qr.example.org' }, subject);
  const token = url.split('/').at(-1) ?? '';
  t.same(verifyMailUnsubscribeToken(fieldCipher, token), subject);
  const [id = '', kind = '', signature = ''] = token.split('.');
  const wrong = [
    `${generateId()}.${kind}.${signature}`,
    `${id}.DIGEST.${signature}`,
    `${id}.${kind}.`,
    `${token}x`,
  ];
  for (const text of [...wrong, '']) t.equal(verifyMailUnsubscribeToken(fieldCipher, text), null, text);
});
