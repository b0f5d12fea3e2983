import {
  createConversationToken,
  isConversationTokenValid,
} from '../../../src/features/conversations/conversation-token.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { createHashCipher } from '../../hash-cipher.ts';
import { t } from '../../tap.ts';

const fieldCipher = createHashCipher();

t.test('a conversation token is of one conversation and one side, and is signed', async (t) => {
  const [id, other] = [generateId(), generateId()];
  const token = createConversationToken(fieldCipher, id, 'FINDER');
  t.equal(isConversationTokenValid(fieldCipher, id, 'FINDER', token), true);
  t.equal(isConversationTokenValid(fieldCipher, id, { ownerEpoch: 0 }, token), false, 'of the other side');
  t.equal(isConversationTokenValid(fieldCipher, other, 'FINDER', token), false, 'of another conversation');
  const signature = token.slice(25);
  for (const wrong of [undefined, '', id, `${id}.`, `${token}x`, `${other}.${signature}`, [token]])
    t.equal(isConversationTokenValid(fieldCipher, id, 'FINDER', wrong), false, String(wrong));
  t.equal(
    isConversationTokenValid(createHashCipher('other'), id, 'FINDER', token),
    false,
    'of another service',
  );
});

t.test('the token of an owner ends with their sessions', async (t) => {
  const id = generateId();
  const token = createConversationToken(fieldCipher, id, { ownerEpoch: 4 });
  t.equal(isConversationTokenValid(fieldCipher, id, { ownerEpoch: 4 }, token), true);
  t.equal(isConversationTokenValid(fieldCipher, id, { ownerEpoch: 5 }, token), false);
  t.equal(isConversationTokenValid(fieldCipher, id, 'FINDER', token), false);
});
