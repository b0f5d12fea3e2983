/** Languages of the service that Stripe's pages have; in any other they take that of the browser. */
const LOCALES = new Set(['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'zh']);

/** What Stripe calls a language. */
export function localeOf(language: string): string {
  return LOCALES.has(language) ? language : 'auto';
}
