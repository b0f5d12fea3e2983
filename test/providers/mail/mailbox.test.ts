import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMailMessageId } from '../../../src/providers/mail/mail.port.ts';
import { createMailboxMailProvider } from '../../../src/providers/mail/mailbox-mail-provider.ts';
import { listMailboxEntries, readMailboxMail } from '../../../src/providers/mail/mailbox-reader.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';
import { createTestMail, HOSTILE_ADDRESSES, HOSTILE_SUBJECTS } from './mails.ts';

const AT = new Date('2026-11-21T09:45:00Z');

function mailbox(folder: string) {
  const lines: string[] = [];
  return { lines, provider: createMailboxMailProvider({ folder, log: (line) => lines.push(line) }) };
}

t.test('writes a mail as one file and logs its path', async (t) => {
  const folder = join(t.testdir(), 'mailbox');
  const { lines, provider } = mailbox(folder);
  const id = generateId(AT);
  await provider.send(createTestMail({ messageId: createMailMessageId(id, 'service.test') }));
  const file = `20261121T094500Z-${id.slice(8)}.eml`;
  t.same(await readdir(folder), [file]);
  t.same(lines, [`Mail written to ${join(folder, file)}`]);
  const source = await readFile(join(folder, file), 'utf8');
  t.match(source, /^Subject: 048213 is your code$/m);
  t.match(source, /^To: anna@example\.com$/m);
  t.match(source, /^your code is 048213\. It is valid for ten minutes\.$/m);
  t.match(source, new RegExp(`^Message-ID: <${id}@service\\.test>$`, 'm'));
  t.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
});

t.test('file name and log contain no personal data', async (t) => {
  const folder = t.testdir();
  const { lines, provider } = mailbox(folder);
  await provider.send(createTestMail());
  t.notMatch(
    [...(await readdir(folder)), ...lines].join('\n').replaceAll(folder, ''),
    /anna|example|048213|code/,
  );
});

t.test('a repeated mail replaces the first', async (t) => {
  const folder = t.testdir();
  const { provider } = mailbox(folder);
  const mail = createTestMail();
  await Promise.all([provider.send(mail), provider.send(createTestMail())]);
  await provider.send({ ...mail, subject: 'again' });
  t.equal((await readdir(folder)).length, 2);
  const subjects = (await listMailboxEntries(folder)).map(({ subject }) => subject);
  t.same(subjects.sort(), ['048213 is your code', 'again']);
});

t.test('ignores leftovers of a crash', async (t) => {
  const folder = t.testdir();
  const id = generateId(AT);
  const leftover = join(folder, `20261121T094500Z-${id.slice(8)}.eml.tmp`);
  await writeFile(leftover, 'half a ma');
  t.same(await listMailboxEntries(folder), []);
  await mailbox(folder).provider.send(createTestMail({ messageId: createMailMessageId(id, 'service.test') }));
  t.equal((await listMailboxEntries(folder)).length, 1);
  t.same(
    (await readdir(folder)).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

t.test('keeps a one-time code on one line', async (t) => {
  const folder = t.testdir();
  const { provider } = mailbox(folder);
  const word = fc.stringMatching(/^[a-zäöüß犬é=.,:]{1,14}$/);
  const words = fc.array(word, { minLength: 1, maxLength: 40 });
  const property = fc.asyncProperty(words, words, async (before, after) => {
    const mail = createTestMail({
      subject: 'x',
      text: `${before.join(' ')} 048213 ${after.join(' ')}`,
      html: '<p></p>',
    });
    await provider.send(mail);
    const [entry] = (await readdir(folder)).filter((name) => name.includes(mail.messageId.slice(9, 25)));
    return /\b048213\b/.test(await readFile(join(folder, entry ?? ''), 'latin1'));
  });
  await t.resolves(fc.assert(property, { numRuns: 200 }));
});

t.test('writes 7-bit files that decode to the mail', async (t) => {
  const folder = t.testdir();
  const { provider } = mailbox(folder);
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
    .map((value) => value.replace(/[\p{C}\s]+/gu, ' '));
  const property = fc.asyncProperty(text, text, async (subject, body) => {
    const mail = createTestMail({ subject, text: `${body}\n`, html: `<p>${body}</p>` });
    await provider.send(mail);
    const name = (await readdir(folder)).find((file) => file.includes(mail.messageId.slice(9, 25))) ?? '';
    const bytes = await readFile(join(folder, name));
    const read = await readMailboxMail(folder, name);
    const same = read?.text.trimEnd() === body.trimEnd() && read.html.trimEnd() === `<p>${body}</p>`;
    return (
      same &&
      read?.subject.trim() === [...subject.trim()].slice(0, 200).join('') &&
      bytes.every((byte) => byte < 128)
    );
  });
  await t.resolves(fc.assert(property, { numRuns: 200, examples: [['x', '¡ࠀ𐀀𐀀𐀀 ࠀࠀ']] }));
});

t.test('rejects hostile addresses and keeps hostile subjects on one line', async (t) => {
  const folder = t.testdir();
  const { provider } = mailbox(folder);
  for (const to of HOSTILE_ADDRESSES)
    await t.rejects(provider.send(createTestMail({ to })), { name: 'MailError', permanent: true });
  t.same(await readdir(folder), []);
  for (const subject of HOSTILE_SUBJECTS) {
    const mail = createTestMail({ subject });
    await provider.send(mail);
    const name = (await readdir(folder)).find((file) => file.includes(mail.messageId.slice(9, 25))) ?? '';
    t.notMatch(await readFile(join(folder, name), 'latin1'), /^Bcc:/im);
  }
});

t.test('leaves bidirectional controls out of a subject, and keeps joiners', async (t) => {
  const folder = t.testdir();
  const { provider } = mailbox(folder);
  await provider.send(createTestMail({ subject: 'تم مسح «\u2068Rex\u2069» \u202e👩\u200d🚒' }));
  const [mail] = await listMailboxEntries(folder);
  t.equal(mail?.subject, 'تم مسح «Rex» 👩\u200d🚒');
});

t.test('lists a limited number of mails, newest first', async (t) => {
  const folder = t.testdir();
  const { provider } = mailbox(folder);
  for (const minute of [3, 1, 2]) {
    const id = generateId(new Date(AT.getTime() + minute * 60_000));
    await provider.send(
      createTestMail({ messageId: createMailMessageId(id, 'service.test'), subject: `minute ${minute}` }),
    );
  }
  const subjects = (await listMailboxEntries(folder, 2)).map(({ subject }) => subject);
  t.same(subjects, ['minute 3', 'minute 2']);
  t.same(await listMailboxEntries(join(folder, 'absent')), []);
});

t.test('reads only mails of the folder', async (t) => {
  const folder = t.testdir();
  const { provider } = mailbox(join(folder, 'mailbox'));
  await provider.send(createTestMail());
  const [entry] = await listMailboxEntries(join(folder, 'mailbox'));
  t.match(await readMailboxMail(join(folder, 'mailbox'), entry?.file ?? ''), {
    to: 'anna@example.com',
    text: /048213/,
  });
  const outside = '20261121T094500Z-0123456789abcdef.eml';
  await writeFile(join(folder, outside), 'Subject: private\n\n');
  await mkdir(join(folder, 'mailbox', '20261121T094500Z-1111111111111111.eml'));
  const link = '20261121T094500Z-2222222222222222.eml';
  await symlink(join(folder, outside), join(folder, 'mailbox', link));
  for (const name of [outside, `../${outside}`, link, '', '.', 'x.eml', `${entry?.file}.tmp`]) {
    t.equal(await readMailboxMail(join(folder, 'mailbox'), name), null, name);
  }
  t.equal(await readMailboxMail(join(folder, 'mailbox'), '20261121T094500Z-1111111111111111.eml'), null);
});

t.test('writes nothing after close', async (t) => {
  const folder = t.testdir();
  const { provider } = mailbox(folder);
  await provider.close();
  await t.rejects(provider.send(createTestMail()), { name: 'MailError', permanent: false });
  t.same(await readdir(folder), []);
});

t.test('a message id requires a record id and a domain', async (t) => {
  t.throws(() => createMailMessageId('abc', 'service.test'), TypeError);
  t.throws(() => createMailMessageId(generateId(), 'service.test>\r\nBcc: a'), TypeError);
  t.throws(() => createMailMessageId(generateId(), ''), TypeError);
});
