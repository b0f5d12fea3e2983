import { createConversationToken } from '../../../src/features/conversations/conversation-token.ts';
import {
  authorizeSubscription,
  canSessionSubscribe,
} from '../../../src/features/realtime/authorize-subscription.ts';
import type { OpenSession } from '../../../src/platform/authentication.repository.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { createHashCipher } from '../../hash-cipher.ts';
import { t } from '../../tap.ts';

const SESSION: OpenSession = {
  sessionId: generateId(),
  userId: generateId(),
  email: 'ada@example.org',
  role: 'USER',
  status: 'ACTIVE',
  timeZone: 'UTC',
  language: 'en',
  isEnterprise: false,
  mustEnroll: false,
  isIdle: false,
  isStale: false,
  account: null,
};

t.test('a session that may not use a route opens no socket', async (t) => {
  t.equal(canSessionSubscribe(SESSION), true);
  for (const change of [{ isIdle: true }, { status: 'SUSPENDED' }, { mustEnroll: true }])
    t.equal(canSessionSubscribe({ ...SESSION, ...change }), false, JSON.stringify(change));
});

t.test('a socket of a finder needs the token of the finder of its conversation', async (t) => {
  const fieldCipher = createHashCipher();
  const [id, accountId] = [generateId(), generateId()];
  const services = {
    fieldCipher,
    database: { client: { conversation: { findFirst: async () => ({ id, accountId }) } } },
  } as never;
  const open = (token: string) =>
    authorizeSubscription({} as never, services, { headers: {} } as never, { kind: 'conversation', token });
  const token = createConversationToken(fieldCipher, id, 'FINDER');
  t.match(await open(token), { side: 'FINDER', conversationId: id, accountId });
  const ofOwner = createConversationToken(fieldCipher, id, { ownerEpoch: 0 });
  for (const wrong of [ofOwner, `${token}x`, `${generateId()}${token.slice(24)}`, id, ''])
    t.equal(await open(wrong), null, wrong);
});
