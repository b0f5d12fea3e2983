import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';

/** The visit that a form belongs to: a scan, or where a code is closed an id in its place. */
export interface FormVisit {
  id: string;
  isScan: boolean;
}

/**
 * The token in the forms of one visit: its id, end, and a keyed hash over both and the code. It makes one visit one
 * scan, and other sites cannot make it.
 */
export function formToken(vault: Vault, codeId: string, id: string, isScan = true): string {
  const end = String(Math.floor(Date.now() / 1000) + LIFETIMES.finderForm);
  return `${id}.${end}.${sign(vault, codeId, { id, isScan }, end)}`;
}

/** How many seconds ago the token of a form was made, by the end that it names. */
export function ageOfForm(token: string): number {
  return Math.floor(Date.now() / 1000) + LIFETIMES.finderForm - Number(token.split('.')[1]);
}

/** The scan that a form belongs to; null when it is of none, or the token is not ours, of another code, or has ended. */
export function scanOfForm(vault: Vault, codeId: string, token: string | undefined): string | null {
  const visit = visitOfForm(vault, codeId, token);
  return visit?.isScan ? visit.id : null;
}

/** The visit that a form belongs to; null when the token is not ours, of another code, or has ended. */
export function visitOfForm(vault: Vault, codeId: string, token: string | undefined): FormVisit | null {
  const [id = '', end = '', signature = ''] = token?.split('.') ?? [];
  if (!isId(id) || !/^\d{1,12}$/.test(end) || Number(end) * 1000 <= Date.now()) return null;
  const visits = [true, false].map((isScan) => ({ id, isScan }));
  return visits.find((visit) => sameBytes(signature, sign(vault, codeId, visit, end))) ?? null;
}

function sign(vault: Vault, codeId: string, { id, isScan }: FormVisit, end: string): string {
  return vault.hash(isScan ? 'finder-form' : 'closed-form', codeId, id, end).toString('base64url');
}
