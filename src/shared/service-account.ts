import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** By what the service is known to Firebase. */
export interface ServiceAccount {
  projectId: string;
  clientEmail: string;
  privateKey: string;
}

/**
 * Reads the service account that Firebase gives as JSON: the JSON itself, or the path of its file.
 * Throws an Error that says what is wrong and repeats nothing of it.
 */
export function readServiceAccount(text: string): ServiceAccount {
  const json = parsed(text.startsWith('{') ? text : contentOf(text));
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
  if (!isSigningKey(account.privateKey)) throw new Error('has no private_key that can be read.');
  return Object.freeze(account);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error('is neither JSON nor a file that can be read.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('is no JSON.');
  }
}

/** A placeholder is none. */
function isSigningKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
