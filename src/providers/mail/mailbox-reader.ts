import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEml } from './eml.ts';
import type { DevelopmentMailbox, MailboxEntry, MailboxMail } from './mailbox.port.ts';

const MAIL_FILE_PATTERN = /^\d{8}T\d{6}Z-[0-9a-f]{16}\.eml$/;
const MAX_LISTED_MAILS = 200;
const MAX_MAIL_BYTES = 1024 * 1024;

export function openDevelopmentMailbox(folder: string): DevelopmentMailbox {
  return {
    list: (limit) => listMailboxEntries(folder, limit),
    read: (file) => readMailboxMail(folder, file),
  };
}

/** List the mails of a folder, newest first, `limit` (1 to 200) at most; none without a folder. */
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
