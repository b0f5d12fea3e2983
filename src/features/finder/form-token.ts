import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';

/**
 * The token in the forms of one visit: scan, end, and a keyed hash over both and the code. It makes one visit one
 * scan, and other sites cannot make it.
 */
export function formToken(vault: Vault, codeId: string, scanId: string): string {
  const end = String(Math.floor(Date.now() / 1000) + LIFETIMES.finderForm);
  return `${scanId}.${end}.${sign(vault, codeId, scanId, end)}`;
}

/** How many seconds ago the token of a form was made, by the end that it names. */
export function ageOfForm(token: string): number {
  return Math.floor(Date.now() / 1000) + LIFETIMES.finderForm - Number(token.split('.')[1]);
}

/** The scan that a form belongs to; null when the token is not ours, of another code, or has ended. */
export function scanOfForm(vault: Vault, codeId: string, token: string | undefined): string | null {
  const [scanId = '', end = '', signature = ''] = token?.split('.') ?? [];
  if (!isId(scanId) || !/^\d{1,12}$/.test(end) || Number(end) * 1000 <= Date.now()) return null;
  return sameBytes(signature, sign(vault, codeId, scanId, end)) ? scanId : null;
}

function sign(vault: Vault, codeId: string, scanId: string, end: string): string {
  return vault.hash('finder-form', codeId, scanId, end).toString('base64url');
}
