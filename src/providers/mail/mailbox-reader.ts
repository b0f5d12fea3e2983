import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEml } from './eml.ts';
import type { Mailbox, MailboxEntry, MailboxMail } from './mailbox.port.ts';

const MAIL_FILE_PATTERN = /^\d{8}T\d{6}Z-[0-9a-f]{16}\.eml$/;
/** Mails listed at most. */
const MAX_LISTED_MAILS = 200;
/** Bytes read of one file at most. */
const MAX_MAIL_BYTES = 1024 * 1024;

/** The mailbox in a folder. */
export function openMailbox(folder: string): Mailbox {
  return {
    list: (limit) => listMailboxEntries(folder, limit),
    read: (file) => readMailboxMail(folder, file),
  };
}

/** The mails of a mailbox folder, newest first, `limit` at most (1 to 200); none where there is no folder. */
export async function listMailboxEntries(folder: string, limit = 50): Promise<MailboxEntry[]> {
  const names = (await readFileNames(folder)).filter((name) => MAIL_FILE_PATTERN.test(name));
  const newest = names
    .sort()
    .reverse()
    .slice(0, Math.min(Math.max(limit, 1), MAX_LISTED_MAILS));
  const mails = await Promise.all(newest.map((name) => readMailboxMail(folder, name)));
  return mails.flatMap((mail) => {
    if (!mail) return [];
    const { text: _text, html: _html, ...entry } = mail;
    return [entry];
  });
}

/** One mail of the folder by the name of its file, decoded; null for a name that is none or is not there. */
export async function readMailboxMail(folder: string, file: string): Promise<MailboxMail | null> {
  if (!MAIL_FILE_PATTERN.test(file)) return null;
  const bytes = await readBounded(join(folder, file));
  return bytes && { file, ...parseEml(bytes.toString('latin1')) };
}

async function readFileNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissingFileError(error)) return [];
    throw error;
  }
}

async function readBounded(path: string): Promise<Buffer | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (isMissingFileError(error)) return null;
    throw error;
  });
  if (!handle) return null;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return null;
    const size = Math.min(stat.size, MAX_MAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function isMissingFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP');
}
