import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import type { ImportRecord } from '../../codes/index.ts';

export const STATUS_LABELS = {
  DRAFT: 'app.imports.status.draft',
  WAITING: 'app.imports.status.waiting',
  RUNNING: 'app.imports.status.running',
  COMPLETED: 'app.imports.status.completed',
  FAILED: 'app.imports.status.failed',
  CANCELED: 'app.imports.status.canceled',
} as const satisfies Record<string, MessageKey>;

type Counts = Pick<ImportRecord, 'created' | 'updated' | 'unchanged' | 'failed'>;

/** Describe what became of the rows, in one line. */
export function renderCounts({ created, updated, unchanged, failed }: Counts, locale: Locale): string {
  const parts = [
    t(locale, 'app.imports.count.created', { count: created }),
    ...(updated > 0 ? [t(locale, 'app.imports.count.updated', { count: updated })] : []),
    ...(unchanged > 0 ? [t(locale, 'app.imports.count.unchanged', { count: unchanged })] : []),
    ...(failed > 0 ? [t(locale, 'app.imports.count.failed', { count: failed })] : []),
  ];
  return parts.join(' · ');
}

/** How much of its file an import has read, in percent. */
export function getProgress({ bytesRead, size }: Pick<ImportRecord, 'bytesRead' | 'size'>): number {
  return size === 0n ? 0 : Number((bytesRead * 100n) / size);
}
