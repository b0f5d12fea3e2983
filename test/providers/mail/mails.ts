import type { Mail } from '../../../src/providers/mail/mail.port.ts';
import { createMailMessageId } from '../../../src/providers/mail/mail.port.ts';
import { generateId } from '../../../src/shared/ids.ts';

export function createTestMail(overrides: Partial<Mail> = {}): Mail {
  return {
    messageId: createMailMessageId(generateId(), 'service.test'),
    to: 'anna@example.com',
    from: 'QR Profile Service <no-reply@service.test>',
    subject: '048213 is your code',
    text: 'Hello Anna,\n\nyour code is 048213. It is valid for ten minutes.\n',
    html: '<p>Hello Anna,</p><p>your code is <strong>048213</strong>.</p>',
    ...overrides,
  };
}

/** Addresses with injected content. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  'a@b.test\r\nBcc: evil@evil.test',
  'a@b.test\nBcc: evil@evil.test',
  'a@b.test\rRCPT TO:<evil@evil.test>',
  'a@b.test>\r\nRCPT TO:<evil@evil.test',
  'a@b.test,evil@evil.test',
  'a@b.test;evil@evil.test',
  'a@b.test evil@evil.test',
  'evil@evil.test <a@b.test>',
  '"evil@evil.test" a@b.test',
  'a@b.test (evil@evil.test)',
  'group: a@b.test, evil@evil.test;',
  '@relay.test:a@b.test',
  'a%evil.test@b.test%evil',
  'a@b@c.test',
  'a\u0000@b.test',
  'a\u2028@b.test',
  'a\u202e@b.test',
  'a\u0085@b.test',
  'a@[127.0.0.1]',
  '',
  'anna',
  `${'a'.repeat(250)}@b.test`,
];

/** Subjects that try to inject a header or a body. */
export const HOSTILE_SUBJECTS: readonly string[] = [
  'Hello\r\nBcc: evil@evil.test',
  'Hello\nBcc: evil@evil.test\n\nbody',
  'Hello\rBcc: evil@evil.test',
  'Hello\u2028Bcc: evil@evil.test',
  'Hello\u0085Bcc: evil@evil.test',
  'Hello\u0000\u001b[31m',
  'Grüße =?utf-8?Q?=0D=0ABcc:_evil@evil.test?=',
];
