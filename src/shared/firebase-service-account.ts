import { createPrivateKey } from 'node:crypto';
import { readBoundedFile } from './read-bounded-file.ts';

const MAX_FILE_BYTES = 64 * 1024;

export interface FirebaseServiceAccount {
  projectId: string;
  clientEmail: string;
  privateKey: string;
}

/** Read a Firebase service account from JSON or the path of its file; errors never contain its content. */
export function readFirebaseServiceAccount(text: string): FirebaseServiceAccount {
  const json = parseJson(text.startsWith('{') ? text : readFileContent(text));
  const field = (name: string): string => {
    const value: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const account = {
    projectId: field('project_id'),
    clientEmail: field('client_email'),
    privateKey: field('private_key'),
  };
  if (!/^[a-z0-9][a-z0-9.:-]{3,99}$/.test(account.projectId)) throw new Error('has no project_id.');
  if (!/^[^\s@]+@[^\s@]+$/.test(account.clientEmail)) throw new Error('has no client_email.');
  if (!isRsaPrivateKey(account.privateKey)) throw new Error('has no valid private_key.');
  return Object.freeze(account);
}

function readFileContent(path: string): string {
  try {
    const bytes = readBoundedFile(path, MAX_FILE_BYTES);
    if (bytes) return bytes.toString('utf8');
  } catch {
    // The path may be a pasted secret, so it is not repeated.
  }
  throw new Error('is neither JSON nor a readable file.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('is not JSON.');
  }
}

function isRsaPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
