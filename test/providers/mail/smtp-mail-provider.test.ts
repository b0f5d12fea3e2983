import { loadConfig } from '../../../src/config.ts';
import { parseEml } from '../../../src/providers/mail/eml.ts';
import { MailError, type MailProvider } from '../../../src/providers/mail/mail.port.ts';
import { createSmtpMailProvider } from '../../../src/providers/mail/smtp-mail-provider.ts';
import { t } from '../../tap.ts';
import { createTestMail, HOSTILE_ADDRESSES, HOSTILE_SUBJECTS } from './mails.ts';
import { createSmtpError, startBareServer, startSmtpSink } from './smtp-sink.ts';

const TEMPORARY = { name: 'MailError', permanent: false };
const PERMANENT = { name: 'MailError', permanent: true };

t.test('delivers a mail with its Message-ID', async (t) => {
  const sink = await startSmtpSink();
  t.teardown(sink.close);
  const mail = createTestMail({
    subject: 'Grüße, 048213',
    text: 'Füße 犬\n.\nend\n',
    html: '<p>Füße 犬</p>',
  });
  await createSmtpMailProvider({ url: sink.url }).send(mail);
  t.equal(sink.mails.length, 1);
  t.same(sink.mails[0]?.recipients, ['anna@example.com']);
  const source = sink.mails[0]?.source ?? '';
  t.equal(/^Message-ID: (.*)\r$/im.exec(source)?.[1], mail.messageId);
  t.match(source, /^Auto-Submitted: auto-generated\r$/m);
  const { to, from, subject, text, html } = parseEml(source);
  t.same(
    { to, from, subject, text: text.trimEnd(), html: html.trimEnd() },
    { to: mail.to, from: mail.from, subject: mail.subject, text: mail.text.trimEnd(), html: mail.html },
  );
});

t.test('sends the same Message-ID with every attempt', async (t) => {
  const sink = await startSmtpSink();
  t.teardown(sink.close);
  const [provider, mail] = [createSmtpMailProvider({ url: sink.url }), createTestMail()];
  await provider.send(mail);
  await provider.send(mail);
  t.same(
    sink.mails.map(({ source }) => source.includes(mail.messageId)),
    [true, true],
  );
});

t.test('a rejected recipient is a permanent error without the address', async (t) => {
  const sink = await startSmtpSink({
    onRcptTo: ({ address }, _session, done) => done(createSmtpError(550, `5.1.1 <${address}> is unknown`)),
  });
  t.teardown(sink.close);
  const error = await getSendError(createSmtpMailProvider({ url: sink.url }), 'anna@example.com');
  t.match(error, { ...PERMANENT, message: /answered 550 at RCPT TO/ });
  t.notMatch(collectErrorText(error), /anna|example|unknown/);
});

t.test('a mail rejected after its content is a permanent error', async (t) => {
  const sink = await startSmtpSink({
    onData(stream, _session, done) {
      stream.on('end', () => done(createSmtpError(554, 'no')));
      stream.resume();
    },
  });
  t.teardown(sink.close);
  t.match(await getSendError(createSmtpMailProvider({ url: sink.url })), PERMANENT);
});

t.test('a temporary rejection is a temporary error', async (t) => {
  const sink = await startSmtpSink({
    onRcptTo: (_address, _session, done) => done(createSmtpError(451, 'later')),
  });
  t.teardown(sink.close);
  t.match(await getSendError(createSmtpMailProvider({ url: sink.url })), {
    ...TEMPORARY,
    message: /answered 451/,
  });
});

t.test('rejection of the client or its credentials is a temporary error', async (t) => {
  const closed = await startSmtpSink({
    onConnect: (_session, done) => done(createSmtpError(554, 'not today')),
  });
  const strict = await startSmtpSink({
    authOptional: false,
    onAuth: (_auth, _session, done) => done(createSmtpError(535, 'wrong')),
  });
  t.teardown(() => Promise.all([closed.close(), strict.close()]));
  t.match(await getSendError(createSmtpMailProvider({ url: closed.url })), TEMPORARY);
  const url = strict.url.replace('//', '//user:wrong-password@');
  const error = await getSendError(createSmtpMailProvider({ url }));
  t.match(error, TEMPORARY);
  t.notMatch(collectErrorText(error), /wrong-password/);
});

t.test('a hanging server ends in a timeout without an open socket', async (t) => {
  const silent = await startBareServer(() => undefined);
  const dripping = await startBareServer((socket) => {
    socket.write('220-');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  t.teardown(() => Promise.all([silent.close(), dripping.close()]));
  for (const { url, sockets } of [silent, dripping]) {
    t.match(await getSendError(createSmtpMailProvider({ url, sendTimeout: 300 })), TEMPORARY);
    await Promise.all(
      [...sockets].map((socket) => socket.closed || new Promise((done) => socket.resume().on('close', done))),
    );
    t.pass('its end of the connection was closed');
  }
});

t.test('a lost connection is a temporary error', async (t) => {
  const gone = await startBareServer(() => undefined);
  await gone.close();
  t.match(await getSendError(createSmtpMailProvider({ url: gone.url })), {
    ...TEMPORARY,
    message: /could not be reached/,
  });
  const going = await startBareServer((socket) => {
    socket.write('220 hello\r\n');
    socket.once('data', () => socket.destroy());
  });
  t.teardown(going.close);
  t.match(await getSendError(createSmtpMailProvider({ url: going.url })), TEMPORARY);
});

t.test('close aborts running and later sends', async (t) => {
  const silent = await startBareServer(() => undefined);
  t.teardown(silent.close);
  const provider = createSmtpMailProvider({ url: silent.url });
  const failure = getSendError(provider);
  await provider.close();
  t.match(await failure, TEMPORARY);
  t.match(await getSendError(provider), TEMPORARY);
});

t.test('rejects a hostile recipient or sender, and sends nothing to the server', async (t) => {
  const sink = await startSmtpSink();
  t.teardown(sink.close);
  const provider = createSmtpMailProvider({ url: sink.url });
  for (const [index, address] of HOSTILE_ADDRESSES.entries()) {
    await t.rejects(provider.send(createTestMail({ to: address })), PERMANENT, `hostile address ${index}`);
  }
  for (const from of [
    'A\r\nBcc: e@e.test <a@b.test>',
    'a@b.test, c@d.test',
    'A <a@b.test>, B <c@d.test>',
    'A <a@b\n.test>',
  ]) {
    await t.rejects(provider.send(createTestMail({ from })), PERMANENT, JSON.stringify(from));
  }
  await t.rejects(provider.send(createTestMail({ messageId: '<a@b>\r\nBcc: evil@evil.test' })), PERMANENT);
  t.same(sink.mails, []);
});

t.test('the default sender is the brand at the host of the service', async (t) => {
  const sink = await startSmtpSink();
  t.teardown(sink.close);
  const provider = createSmtpMailProvider({ url: sink.url });
  for (const BRAND_NAME of ['Acme', 'Acme, Inc.', 'Acme "QR" <\\>', 'a@b.test', 'Fundbüro – 落とし物']) {
    const { mailFrom } = loadConfig({ BRAND_NAME, PUBLIC_BASE_URL: 'https://qr.example.org:8443/a' });
    await provider.send(createTestMail({ from: mailFrom }));
    const source = sink.mails.at(-1)?.source ?? '';
    const [from = '', ...more] = source.match(/^From: .*(?:\r\n[ \t].*)*/gm) ?? [];
    t.same(more, []);
    t.ok(from.endsWith(' <no-reply@qr.example.org>'), from);
    const name = parseEml(source).from.replace(/ <[^<]*$/, '');
    t.equal(name.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1'), BRAND_NAME, from);
  }
  t.equal(loadConfig({}).mailFrom, '"QR Profile Service" <no-reply@localhost>');
});

t.test('a hostile subject or body adds no recipient and no header', async (t) => {
  const sink = await startSmtpSink();
  t.teardown(sink.close);
  const provider = createSmtpMailProvider({ url: sink.url });
  await provider.send(createTestMail());
  for (const subject of HOSTILE_SUBJECTS) await provider.send(createTestMail({ subject }));
  await provider.send(
    createTestMail({ text: '\r\n.\r\nMAIL FROM:<evil@evil.test>\r\n', html: '</p>\r\nBcc: evil@evil.test' }),
  );
  await provider.send(createTestMail({ text: '.\nQUIT\n' }));
  const [plain, ...hostile] = sink.mails;
  t.equal(hostile.length, HOSTILE_SUBJECTS.length + 2);
  for (const { recipients, source } of hostile) {
    t.same(recipients, ['anna@example.com']);
    t.same(getHeaderNames(source), getHeaderNames(plain?.source ?? ''));
  }
});

t.test('sends credentials over TLS only', async (t) => {
  const commands: string[] = [];
  const server = await startBareServer((socket) => {
    socket.write('220 hello\r\n');
    socket.on('data', (data) => {
      commands.push(data.toString());
      socket.write('250-hello\r\n250 AUTH PLAIN LOGIN\r\n');
    });
  });
  t.teardown(server.close);
  // Reaches the server, but is not a loopback address.
  const url = `smtp://user:secret@0.0.0.0:${server.port}`;
  t.match(await getSendError(createSmtpMailProvider({ url, sendTimeout: 500 })), TEMPORARY);
  t.notMatch(commands.join(''), /AUTH/);
  t.match(commands.join(''), /EHLO/);
  await getSendError(createSmtpMailProvider({ url: `${url}?requireTLS=false`, sendTimeout: 500 })).catch(
    () => undefined,
  );
  t.match(commands.join(''), /AUTH/, 'unless the operator decides otherwise');
});

t.test('rejects an invalid URL without repeating it', async (t) => {
  for (const url of ['smtp://user:hidden@', 'http://user:hidden@host', 'hidden']) {
    t.throws(() => createSmtpMailProvider({ url }), {
      message: 'Invalid mail server URL.',
    });
  }
});

async function getSendError(provider: MailProvider, to = 'anna@example.com'): Promise<MailError> {
  try {
    await provider.send(createTestMail({ to }));
  } catch (error) {
    if (error instanceof MailError) return error;
    throw error;
  }
  throw new Error('The mail was sent.');
}

function collectErrorText(error: Error): string {
  return `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
}

function getHeaderNames(source: string): string[] {
  const head = source.slice(0, source.indexOf('\r\n\r\n'));
  return head.split('\r\n').flatMap((line) => /^([!-9;-~]+):/.exec(line)?.[1]?.toLowerCase() ?? []);
}
