import { BILLING_INTERVALS } from '../../../shared/billing-interval.ts';
import { type Html, html } from '../../../shared/html.ts';
import { LOCALES, type Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { chooseLocalizedName, type listPackages, PACKAGE_LIMIT_NAMES } from '../../billing/index.ts';
import { type FormErrors, renderField, renderForm, renderSelect } from '../components.ts';
import { formatLimit, formatPrice, LIMIT_LABELS } from '../settings/plan-page.ts';
import { countPriceRows, type PackageFormValues } from './package-form.rules.ts';

type Package = Awaited<ReturnType<typeof listPackages>>[number];

interface PackageForm {
  action: string;
  token: string;
  values: PackageFormValues;
  /** It has no prices, and cannot be bought. */
  isFree: boolean;
  errors: FormErrors;
  locale: Locale;
}

/** Render the packages with their prices and limits, those that are not on offer included. */
export function renderPackageList(
  packages: readonly Package[],
  { path, locale }: { path: string; locale: Locale },
): Html {
  const items = packages.map(({ id, code, names, prices, limits, version, onOffer }) => {
    const facts = PACKAGE_LIMIT_NAMES.map(
      (name) =>
        html`<dt>${t(locale, LIMIT_LABELS[name])}</dt><dd>${formatLimit(name, limits[name], locale)}</dd>`,
    );
    return html`<li><div><h2><a href="${path}/${id}"><bdi>${chooseLocalizedName(names, [locale.tag], code)}</bdi></a></h2>
<p>${
      prices.length > 0
        ? prices.map(
            ({ amount, currency, interval }) => html`${formatPrice(amount, currency, locale, interval)}<br>`,
          )
        : t(locale, 'app.plan.free')
    }</p><dl>${facts}</dl>
<p class="small">${t(locale, 'app.staff.packages.version', { version: String(version) })}${!onOffer && code !== 'FREE' && html` · ${t(locale, 'app.staff.packages.notOffered')}`}</p></div></li>
`;
  });
  return html`<ul class="cards">${items}</ul>`;
}

/** Render the form of a package, with what a change of it does. */
export function renderPackageForm({ action, token, values, isFree, errors, locale }: PackageForm): Html {
  return html`<p>${isFree ? t(locale, 'app.staff.packages.freeText') : t(locale, 'app.staff.packages.text')}</p>
${renderForm({
  action,
  token,
  submit: t(locale, 'app.settings.profile.button'),
  hidden: { version: values.version, rows: values.rows },
  fields: [
    html`<fieldset class="group"><legend>${t(locale, 'app.staff.packages.limits')}</legend><p class="hint">${t(locale, 'app.staff.packages.limitsHint')}</p>${PACKAGE_LIMIT_NAMES.map(renderLimit)}</fieldset>\n`,
    isFree ? html`` : renderPrices(),
    html`<fieldset class="group"><legend>${t(locale, 'fields.name')}</legend>${renderName('en')}
<details><summary>${t(locale, 'app.staff.packages.otherLanguages')}</summary>${[...LOCALES.keys()].filter((tag) => tag !== 'en').map(renderName)}</details></fieldset>\n`,
    renderField(
      {
        name: 'features',
        label: t(locale, 'app.staff.packages.features'),
        hint: t(locale, 'app.staff.packages.featuresHint'),
        value: values.features,
        isMultiline: true,
      },
      errors,
      locale,
    ),
    isFree
      ? html`<input type="hidden" name="onOffer" value="yes">`
      : html`<label class="choice"><input type="checkbox" name="onOffer" value="yes"${values.onOffer !== undefined && html` checked`}> ${t(locale, 'app.staff.packages.onOffer')}</label>\n`,
  ],
})}`;

  function renderLimit(name: (typeof PACKAGE_LIMIT_NAMES)[number]): Html {
    const field = `limits.${name}`;
    const label =
      name === 'storageBytes'
        ? t(locale, 'app.staff.packages.storage')
        : name === 'scansKeptDays'
          ? t(locale, 'app.staff.packages.scanDays')
          : t(locale, LIMIT_LABELS[name]);
    return renderField({ name: field, label, value: values[field], inputMode: 'decimal' }, errors, locale);
  }

  function renderName(tag: string): Html {
    const name = `names.${tag}`;
    const label = new Intl.DisplayNames(locale.tag, { type: 'language' }).of(tag) ?? tag;
    return renderField(
      { name, label, value: values[name], maxLength: 60, isRequired: tag === 'en' },
      errors,
      locale,
    );
  }

  function renderPrices(): Html {
    const priceError = errors.find(({ field }) => field === 'prices');
    return html`<fieldset class="group" id="prices"><legend>${t(locale, 'app.staff.packages.prices')}</legend><p class="hint">${t(locale, 'app.staff.packages.pricesHint')}</p>${
      priceError && html`<p class="error">${t(locale, 'app.staff.packages.noPrice')}</p>`
    }${Array.from({ length: countPriceRows(values) }, (_, row) => renderPrice(row))}</fieldset>\n`;
  }

  function renderPrice(row: number): Html {
    const name = (part: string) => `prices[${row}].${part}`;
    const isTwice = errors.some(({ field, code }) => field === name('amount') && code === 'NOT_UNIQUE');
    return html`<div class="filters"><div><div>${renderField(
      {
        name: name('amount'),
        label: t(locale, 'app.plan.amount'),
        value: values[name('amount')],
        inputMode: 'decimal',
        error: isTwice ? t(locale, 'app.staff.packages.twice') : undefined,
      },
      errors,
      locale,
    )}</div><div>${renderField(
      {
        name: name('currency'),
        label: t(locale, 'app.staff.packages.currency'),
        value: values[name('currency')],
        maxLength: 3,
        autocomplete: 'off',
      },
      errors,
      locale,
    )}</div><div>${renderSelect({
      name: name('interval'),
      label: t(locale, 'app.staff.packages.interval'),
      value: values[name('interval')],
      options: BILLING_INTERVALS.map((value) => ({
        value,
        label: t(locale, value === 'month' ? 'app.staff.packages.month' : 'app.staff.packages.year'),
      })),
    })}</div></div></div>\n`;
  }
}
