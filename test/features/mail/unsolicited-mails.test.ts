import { dispatchDueNotifications } from '../../../src/features/notifications/dispatch-notifications.use-case.ts';
import { generateId } from '../../../src/shared/ids.ts';
import type { TestUser } from '../../helper.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { listMailsCausedBy } from '../identity/accounts/helper.ts';

t.test('many accounts cause ten mails and twenty notifications a day for one address', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database, services } = test;
  const [recipient, bystander] = [await createUser(), await createUser()];
  const senders = [await createUser(), await createUser()];
  const nameCaretaker = async ({ accessToken: token }: TestUser, email: string) => {
    const tag = await call('POST', '/api/memory-tags', { token, body: { name: 'Ada' } });
    const path = `/api/memory-tags/${tag.body.id}/caretakers`;
    const named = await call('POST', path, { token, body: { email } });
    if (named.status !== 201) throw new Error(named.text);
  };
  const grantDocument = (email: string) =>
    database.transaction((tx) =>
      services.events.publish(tx, 'document.granted', { grantId: generateId(), email }),
    );
  const send = () => dispatchDueNotifications(services);

  const mails = await listMailsCausedBy(test, recipient.email, async () => {
    for (const sender of senders)
      for (let index = 0; index < 4; index += 1) await nameCaretaker(sender, recipient.email);
    for (let index = 0; index < 16; index += 1) await grantDocument(recipient.email);
    await send();
  });
  t.equal(mails.length, 10);
  const notifications = await call('GET', '/api/notifications?limit=50', { token: recipient.accessToken });
  const received = notifications.body.data.filter(({ event }: { event: string }) =>
    ['caretaker.added', 'document.granted'].includes(event),
  );
  t.equal(received.length, 20);
  const outcomes = received.map(({ deliveries }: { deliveries: { channel: string }[] }) => {
    const mail = deliveries.find(({ channel }) => channel === 'EMAIL');
    return JSON.stringify([Reflect.get(mail ?? {}, 'status'), Reflect.get(mail ?? {}, 'reason')]);
  });
  t.equal(outcomes.filter((outcome: string) => outcome === '["NOT_SENT","TOO_MANY"]').length, 10);

  const [first] = await listMailsCausedBy(test, bystander.email, async () => {
    await grantDocument(bystander.email);
    await send();
  });
  const suppression = /\/api\/mails\/suppress\/\S+/.exec(first?.text ?? '')?.[0] ?? '';
  const stopped = await call('POST', suppression, {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  t.equal(stopped.status, 200, stopped.text);
  const later = await listMailsCausedBy(test, bystander.email, async () => {
    await grantDocument(bystander.email);
    await nameCaretaker(senders[0] ?? bystander, bystander.email);
    await send();
    await call('POST', '/api/auth/register', {
      body: { email: bystander.email, password: TEST_PASSWORD },
      remoteAddress: '192.0.2.1',
    });
  });
  t.same(later, [], 'one click stops them, and those of registrations');
  const ownMails = await listMailsCausedBy(test, bystander.email, () =>
    call('POST', '/api/auth/forgot-password', { body: { email: bystander.email } }),
  );
  t.equal(ownMails.length, 1, 'but no mail that the account needs');
});
