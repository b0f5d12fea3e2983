import type { Locale } from './locales.ts';
import { t } from './translate.ts';

const MAX_MINUTES = 90;

/** Format a waiting time: whole minutes, or hours from 90 minutes on, rounded up. */
export function translateWaitingTime(locale: Locale, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes <= MAX_MINUTES
    ? t(locale, 'finder.waitMinutes', { count: minutes })
    : t(locale, 'finder.waitHours', { count: Math.ceil(minutes / 60) });
}
