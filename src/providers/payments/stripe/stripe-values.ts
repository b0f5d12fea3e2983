/** The id of what Stripe gives by its id or, expanded, as a whole. */
export function idOf(reference: string | { id: string }): string;
export function idOf(reference: string | { id: string } | null | undefined): string | null;
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (typeof reference === 'string') return reference;
  return reference?.id ?? null;
}

/** A moment of Stripe, in seconds. */
export function dateOf(seconds: number): Date;
export function dateOf(seconds: number | null | undefined): Date | null;
export function dateOf(seconds: number | null | undefined): Date | null {
  return seconds == null ? null : new Date(seconds * 1000);
}

/** A moment as Stripe takes it. */
export function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
