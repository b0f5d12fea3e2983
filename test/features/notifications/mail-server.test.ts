import { createSendMailJob } from '../../../src/features/mail/send-mail.job.ts';
import { dispatchDueNotifications } from '../../../src/features/notifications/dispatch-notifications.use-case.ts';
import { insertNotification } from '../../../src/features/notifications/insert-notification.repository.ts';
import { createSmtpMailProvider } from '../../../src/providers/mail/smtp-mail-provider.ts';
import { startTestApp } from '../../helper.ts';
import { createSmtpError, startSmtpSink } from '../../providers/mail/smtp-sink.ts';
import { t } from '../../tap.ts';

const MAX_ATTEMPTS = 9;

const test = await startTestApp(t);
const { client } = test.database;

/** A mail server that treats each recipient by name: delays slow ones, rejects busy ones twice and others always. */
let refusals = 0;
const sink = await startSmtpSink({
  onRcptTo({ address }, _session, callback) {
    if (address.startsWith('slow')) return setTimeout(callback, 400);
    if (address.startsWith('busy') && ++refusals <= 2) return callback(createSmtpError(450, 'later'));
    if (address.startsWith('away')) return callback(createSmtpError(451, 'later'));
    return callback(address.startsWith('gone') ? createSmtpError(550, 'never') : null);
  },
});
const mailProvider = createSmtpMailProvider({ url: sink.url });
t.teardown(async () => {
  await mailProvider.close();
  await sink.close();
});

const userIdByName = new Map<string, string>();
for (const name of ['slow', 'busy', 'gone', 'away'])
  userIdByName.set(name, (await test.createUser({ email: `${name}@example.org` })).id);
// Only the attempts below send mails.
await test.services.jobs.stop();

/** Create a notification of a user, with helpers to attempt its mail and to read its state. */
async function findDeliveryOf(name: string) {
  const userId = userIdByName.get(name) ?? '';
  const data = { code: 'Rex', qrCodeId: 'a'.repeat(24) };
  await insertNotification(client, { userId, type: 'ALERT', event: 'code.scanned_while_lost', data });
  await dispatchDueNotifications(test.services);
  const found = () => client.notificationDelivery.findFirstOrThrow({ where: { userId, channel: 'EMAIL' } });
  const { mailId } = await found();
  const send = createSendMailJob({
    ...test.services,
    mailProvider,
    mailFrom: 'x@example.org',
    mailDomain: 'example.org',
  });
  const arrived = () => sink.mails.filter(({ recipients }) => recipients.includes(`${name}@example.org`));
  return {
    mailId,
    arrived,
    attempt: () => send({ mailId }),
    state: async () => {
      const { status, reason, attempts } = await found();
      return { status, reason, attempts };
    },
  };
}

t.test('delivers each mail once with one Message-ID, and records the state', async (t) => {
  await t.test('with a slow server', async (t) => {
    const slow = await findDeliveryOf('slow');
    t.same(await slow.state(), { status: 'WAITING', reason: null, attempts: 0 });
    await slow.attempt();
    await slow.attempt();
    t.same(await slow.state(), { status: 'DELIVERED', reason: null, attempts: 1 });
    t.equal(slow.arrived().length, 1);
    t.match(slow.arrived()[0]?.source, `<${slow.mailId}@example.org>`);
    t.match(slow.arrived()[0]?.source, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  });

  await t.test('with a server that rejects temporarily', async (t) => {
    const busy = await findDeliveryOf('busy');
    for (const attempts of [1, 2]) {
      await t.rejects(busy.attempt());
      t.same(await busy.state(), { status: 'WAITING', reason: 'SERVER_BUSY', attempts });
    }
    await busy.attempt();
    t.same(await busy.state(), { status: 'DELIVERED', reason: null, attempts: 3 });
    t.equal(busy.arrived().length, 1);
    t.match(busy.arrived()[0]?.source, `<${busy.mailId}@example.org>`);
  });

  await t.test('with a server that rejects permanently, or temporarily without end', async (t) => {
    const gone = await findDeliveryOf('gone');
    await gone.attempt();
    await gone.attempt();
    t.same(await gone.state(), { status: 'FAILED', reason: 'REFUSED', attempts: 1 });
    const unavailable = await findDeliveryOf('away');
    for (let n = 1; n < MAX_ATTEMPTS; n++) await t.rejects(unavailable.attempt());
    await unavailable.attempt();
    t.same(await unavailable.state(), { status: 'FAILED', reason: 'GIVEN_UP', attempts: MAX_ATTEMPTS });
    t.equal(gone.arrived().length + unavailable.arrived().length, 0);
  });
});
