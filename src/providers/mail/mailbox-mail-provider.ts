import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { MailError, type MailProvider, parseRecordIdFromMessageId } from './mail.port.ts';
import { toNodemailerMessage } from './mail-message.ts';

interface MailboxMailOptions {
  folder: string;
  log: (line: string) => void;
}

/** Create the provider for setups without a mail server: each mail becomes one file, written atomically. */
export function createMailboxMailProvider({ folder, log }: MailboxMailOptions): MailProvider {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  let isClosed = false;

  return {
    name: 'mailbox',

    async send(mail) {
      if (isClosed) throw new MailError('The mailbox is closed.', false);
      const { message } = await composer.sendMail(toNodemailerMessage(mail));
      if (!Buffer.isBuffer(message)) throw new TypeError('The composed mail is not a buffer.');
      const path = join(folder, createMailFileName(mail.messageId));
      await writeFileAtomically(folder, path, message);
      log(`Mail written to ${path}`);
    },

    async close() {
      isClosed = true;
    },
  };
}

/** Time and suffix both come from the record id, so a retry gets the same name. */
function createMailFileName(messageId: string): string {
  const recordId = parseRecordIdFromMessageId(messageId);
  if (!recordId) throw new MailError('Invalid message id.', true);
  const time = new Date(Number.parseInt(recordId.slice(0, 8), 16) * 1000).toISOString();
  return `${time.slice(0, 19).replace(/[-:]/g, '')}Z-${recordId.slice(8)}.eml`;
}

/** A leftover `.tmp` of a crash is overwritten by the next attempt. */
async function writeFileAtomically(folder: string, path: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.tmp`;
  await writeAndSync(temporary, content);
  await rename(temporary, path);
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAndSync(path: string, content: Buffer): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
