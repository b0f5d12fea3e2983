import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';

/** By what somebody came to a share: its link, or the page of a code as it was in one version. */
export type Way = { by: 'link' } | { by: 'code'; codeId: string; version: number };

/**
 * What a browser keeps in place of the token of a share, so that its address can be a clean one: an end, and a keyed hash over
 * it, the share and the way. It lasts a day; one by a code no longer than a form on its page.
 */
export function sharePass(vault: Vault, shareId: string, way: Way): string {
  const seconds = passSeconds(way);
  const end = String(Math.floor(Date.now() / 1000) + seconds);
  return `${way.by}.${end}.${signature(vault, shareId, way, end)}`;
}

/** Seconds that a pass lasts. */
export function passSeconds({ by }: Pick<Way, 'by'>): number {
  return by === 'link' ? LIFETIMES.sharePass : LIFETIMES.finderForm;
}

/** By what somebody came who has this pass, as it says itself; null where it says nothing. */
export function wayNamed(pass: string): Way['by'] | null {
  const [by] = pass.split('.');
  return by === 'link' || by === 'code' ? by : null;
}

/** Whether a pass is of this share and this way, and has not ended. Compared in constant time. */
export function isPassOf(vault: Vault, pass: string, shareId: string, way: Way): boolean {
  const [by, end = '', given = ''] = pass.split('.');
  if (by !== way.by || !/^\d{1,12}$/.test(end) || Number(end) * 1000 <= Date.now()) return false;
  return sameBytes(given, signature(vault, shareId, way, end));
}

function signature(vault: Vault, shareId: string, way: Way, end: string): string {
  const of = way.by === 'code' ? [way.codeId, String(way.version)] : [];
  return vault.hash(`document-pass-${way.by}`, shareId, end, ...of).toString('base64url');
}
