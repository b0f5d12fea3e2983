import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { MetadataFacet } from '../../codes/index.ts';
import { renderField, renderSelect } from '../components.ts';

/** A page stays below 20 kB. */
const MAX_LISTED_PAIRS = 60;
const MIN_VALUES_PER_KEY = 3;
const MAX_LISTED_VALUE_CHARACTERS = 60;

/**
 * Render the owner's own data as a filter: each key with its values, and how many codes have them. A field for other pairs
 * follows where there are more than the list has.
 */
export function renderMetadataFilter(
  facets: readonly MetadataFacet[],
  current: string | undefined,
  locale: Locale,
): Html | null {
  if (facets.length === 0 && current === undefined) return null;
  const format = new Intl.NumberFormat(locale.tag);
  const maxValues = Math.max(MIN_VALUES_PER_KEY, Math.floor(MAX_LISTED_PAIRS / Math.max(1, facets.length)));
  const keys = facets.map(({ key, count, valueCount, values }) => {
    const listed = values
      .filter(({ value }) => [...value].length <= MAX_LISTED_VALUE_CHARACTERS)
      .slice(0, maxValues);
    return { key, count, listed, isComplete: listed.length === valueCount };
  });
  const groups = keys
    .filter(({ listed }) => listed.length > 0)
    .map(({ key, count, listed }) => ({
      label: `${key} (${format.format(count)})`,
      options: listed.map((one) => ({
        value: `${key}:${one.value}`,
        label: `${one.value} (${format.format(one.count)})`,
      })),
    }));
  const isListed = groups.some(({ options }) => options.some(({ value }) => value === current));
  const others = current === undefined || isListed ? [] : [{ value: current, label: current }];
  return html`<div>${renderSelect({
    name: 'metadata',
    label: t(locale, 'app.codes.ownData'),
    value: current,
    script: 'submit-on-change',
    options: [{ value: '', label: t(locale, 'app.codes.anyMetadata') }, ...others],
    groups,
  })}</div>${
    keys.some(({ isComplete }) => !isComplete) &&
    html`<div>${renderField({ name: 'pair', label: t(locale, 'app.codes.metadata'), maxLength: 541 }, [], locale)}</div>`
  }`;
}
