import { DAY_MS } from '../../shared/durations.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** Say in how many days what was deleted is gone for good. */
export function formatTimeLeft(
  deletedAt: Date,
  lifetime: 'deletedQrCode' | 'deletedDocument' | 'deletedGuestBookEntry' | 'deletedPicture',
  locale: Locale,
): string {
  const leftMs = deletedAt.getTime() + LIFETIMES_SECONDS[lifetime] * 1000 - Date.now();
  const count = Math.floor(leftMs / DAY_MS);
  return count < 1 ? t(locale, 'app.deleted.lastDay') : t(locale, 'app.deleted.daysLeft', { count });
}
