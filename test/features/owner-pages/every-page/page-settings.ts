import type { BrowserContextOptions } from 'playwright-core';

export interface PageSetting {
  name: string;
  options: BrowserContextOptions;
  language: 'en' | 'ar';
  /** The owner has a second factor. */
  hasSecondFactor: boolean;
}

/** 1,280 pixels at 400 % are 320: WCAG 2.2, 1.4.10. */
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

function createSetting(
  name: string,
  options: BrowserContextOptions,
  more: Partial<PageSetting> = {},
): PageSetting {
  const { language = 'en', hasSecondFactor = false } = more;
  return { name, options: { locale: language, viewport: NARROW, ...options }, language, hasSecondFactor };
}

const SETTINGS: readonly PageSetting[] = [
  createSetting('narrow', {}),
  createSetting('narrow, dark', { colorScheme: 'dark' }),
  createSetting('wide, dark', { viewport: WIDE, colorScheme: 'dark' }),
  createSetting('narrow, Arabic', {}, { language: 'ar' }),
  createSetting('wide, Arabic', { viewport: WIDE }, { language: 'ar' }),
  createSetting('wide, forced colors', { viewport: WIDE, forcedColors: 'active' }),
  createSetting('narrow, without script', { javaScriptEnabled: false }),
  createSetting('wide, without script', { viewport: WIDE, javaScriptEnabled: false }),
  createSetting('narrow, second factor', {}, { hasSecondFactor: true }),
];

/**
 * Get the settings of this run: the first one, or with PAGES those that it names (`all`, `dark`, `Arabic`), as
 * `npm run test:pages` sets it.
 */
export function listSettings(wanted = process.env.PAGES): readonly PageSetting[] {
  if (!wanted) return SETTINGS.slice(0, 1);
  const found = wanted === 'all' ? SETTINGS : SETTINGS.filter(({ name }) => name.includes(wanted));
  if (found.length === 0) throw new Error(`No setting is named ${wanted}.`);
  return found;
}
