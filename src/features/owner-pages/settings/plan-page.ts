import type { BillingInterval } from '../../../shared/billing-interval.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { formatMoney } from '../../../shared/i18n/money.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { isStateWithPackage } from '../../../shared/subscription-state.ts';
import {
  type getSubscriptionStatus,
  type listOfferedPackages,
  PACKAGE_LIMIT_NAMES,
  type toInvoiceView,
} from '../../billing/index.ts';
import { renderForm, renderNote } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { renderDay } from '../format-moment.ts';
import { formatSize } from '../format-size.ts';

type Status = Awaited<ReturnType<typeof getSubscriptionStatus>>;
type Package = Awaited<ReturnType<typeof listOfferedPackages>>[number] & { name: string };
type Invoice = ReturnType<typeof toInvoiceView>;

interface PlanPage {
  locale: Locale;
  /** Of the tab. */
  path: string;
  token: FormToken;
  timeZone: string;
  /** Nothing is sold. */
  isOff: boolean;
  status: Status;
  /** Only an organization has members. */
  isOrganization: boolean;
  packages: readonly Package[];
  invoices: readonly Invoice[];
  nextCursor: string | null;
}

type LimitName = (typeof PACKAGE_LIMIT_NAMES)[number];

export const LIMIT_LABELS = {
  qrCodes: 'app.codes.title',
  memoryTags: 'app.settings.notifications.memorials',
  documents: 'app.documents.title',
  members: 'app.plan.members',
  storageBytes: 'app.plan.storage',
  scansKeptDays: 'app.plan.scansKept',
} as const satisfies Record<LimitName, MessageKey>;

const INVOICE_STATES = {
  OPEN: 'app.plan.invoiceStates.OPEN',
  PAID: 'app.plan.invoiceStates.PAID',
  VOID: 'app.plan.invoiceStates.VOID',
  UNCOLLECTIBLE: 'app.plan.invoiceStates.UNCOLLECTIBLE',
} as const satisfies Record<Invoice['status'], MessageKey>;

/** Format minor units, for each interval if there is one. */
export function formatPrice(
  amount: number,
  currency: string,
  locale: Locale,
  interval?: BillingInterval,
): string {
  const price = formatMoney(locale, amount, currency);
  if (interval === undefined) return price;
  return t(locale, interval === 'month' ? 'app.plan.perMonth' : 'app.plan.perYear', { price });
}

export function renderPlan(page: PlanPage): Html {
  const { locale, isOff, packages, invoices } = page;
  return html`<section><h2>${t(locale, 'app.plan.current')}</h2>${isOff ? html`<p>${t(locale, 'app.plan.off')}</p>` : renderCurrent(page)}${renderUsage(page)}</section>
${packages.length > 0 && renderPackages(page)}${(!isOff || invoices.length > 0) && renderInvoices(page)}`;
}

function renderCurrent({ locale, path, token, timeZone, status }: PlanPage): Html {
  const { id, price, currency, interval, cancelAtPeriodEnd, currentPeriodEnd, trialEndsAt } = status;
  const hasSubscription = id !== null && status.status !== 'CANCELED';
  const hasPackage = status.status !== 'NONE' && isStateWithPackage(status.status);
  const cost =
    hasPackage && price !== null && currency !== null && interval !== null
      ? formatPrice(price, currency, locale, interval)
      : t(locale, 'app.plan.free');
  const day = (at: string) => renderDay(new Date(at), { timeZone }, locale);
  const until =
    hasPackage &&
    currentPeriodEnd !== null &&
    translateHtml(locale, cancelAtPeriodEnd ? 'app.plan.ends' : 'app.plan.renews', {
      date: day(currentPeriodEnd),
    });
  const trial =
    status.status === 'TRIALING' &&
    trialEndsAt !== null &&
    translateHtml(locale, 'app.plan.trial', { date: day(trialEndsAt) });
  const isPaymentMissing = ['PAST_DUE', 'UNPAID', 'INCOMPLETE'].includes(status.status);
  const button = (action: string, submit: string) =>
    renderForm({ action: `${path}/${action}`, token, submit, kind: 'plain' });
  return html`<p><b>${status.package.name}</b> · ${cost}</p>${trial && html`<p>${trial}</p>`}${until && html`<p>${until}</p>`}${
    isPaymentMissing && renderNote(t(locale, 'app.plan.paymentMissing'), 'wrong')
  }${status.status === 'PAUSED' && renderNote(t(locale, 'app.plan.paused'))}${
    hasSubscription &&
    html`<div class="actions">${button('portal', t(locale, 'app.plan.portal'))}${
      cancelAtPeriodEnd
        ? button(`${id}/keep`, t(locale, 'app.plan.keep'))
        : button(`${id}/cancel`, t(locale, 'app.plan.cancel'))
    }</div>${token !== null && !cancelAtPeriodEnd && html`<p class="small">${t(locale, 'app.plan.cancelText')}</p>`}`
  }`;
}

function renderUsage({ locale, status, isOrganization }: PlanPage): Html {
  const names = PACKAGE_LIMIT_NAMES.filter((name) => isOrganization || name !== 'members');
  const rows = names.map((name) => {
    const limit = formatLimit(name, status.limits[name], locale);
    const used: unknown = Reflect.get(status.usage, name);
    const value =
      typeof used === 'number'
        ? t(locale, 'app.plan.usedOf', { used: formatAmount(name, used, locale), limit })
        : limit;
    return html`<dt>${t(locale, LIMIT_LABELS[name])}</dt><dd>${value}</dd>`;
  });
  return html`<dl>${rows}</dl>`;
}

function renderPackages(page: PlanPage): Html {
  const { locale, packages, status } = page;
  const items = packages.map((one) => {
    const limits = PACKAGE_LIMIT_NAMES.map(
      (name) =>
        html`<li>${t(locale, LIMIT_LABELS[name])}: ${formatLimit(name, one.limits[name], locale)}</li>`,
    );
    const isCurrent = one.id === status.package.id;
    return html`<li><div><h3>${one.name}${isCurrent && html` <span class="chip">${t(locale, 'app.plan.current')}</span>`}</h3>
<ul class="small">${limits}</ul>${renderChoices(page, one)}</div></li>
`;
  });
  return html`<section><h2>${t(locale, 'app.plan.packages')}</h2><ul class="cards">${items}</ul></section>`;
}

/** With a subscription a change has a preview; without one a choice leads to the payment. */
function renderChoices({ locale, path, token, status }: PlanPage, { id, name, prices }: Package): Html {
  if (prices.length === 0) return html`<p>${t(locale, 'app.plan.free')}</p>`;
  const hasPackage = status.status !== 'NONE' && isStateWithPackage(status.status);
  const offers = prices.filter(({ currency }) => !hasPackage || currency === status.currency);
  return html`${offers.map(({ interval, currency, amount }) => {
    const price = formatPrice(amount, currency, locale, interval);
    if (hasPackage && id === status.package.id && interval === status.interval) return html`<p>${price}</p>`;
    const choice = { packageId: id, interval };
    if (token === null) return html`<p>${price}</p>`;
    if (hasPackage)
      return html`<p><a class="act plain" href="${path}/change?${String(new URLSearchParams(choice))}">${price}<span class="visually-hidden">, ${name}</span></a></p>`;
    return renderForm({
      action: `${path}/checkout`,
      token,
      hidden: { ...choice, currency },
      submit: price,
      kind: 'plain',
    });
  })}`;
}

function renderInvoices({ locale, path, timeZone, invoices, nextCursor }: PlanPage): Html {
  const rows = invoices.map(({ id, number, issuedAt, total, currency, status }) => {
    const name = number ?? t(locale, 'app.plan.invoice');
    return html`<tr><td>${renderDay(new Date(issuedAt), { timeZone }, locale)}</td><td><a href="${path}/invoices/${id}"><bdi>${name}</bdi></a></td><td>${formatMoney(locale, total, currency)}</td><td>${t(locale, INVOICE_STATES[status])}</td></tr>
`;
  });
  const head = html`<tr><th scope="col">${t(locale, 'app.plan.date')}</th><th scope="col">${t(locale, 'app.plan.invoice')}</th><th scope="col">${t(locale, 'app.plan.amount')}</th><th scope="col">${t(locale, 'app.codes.status')}</th></tr>`;
  return html`<section><h2>${t(locale, 'app.plan.invoices')}</h2>${
    rows.length === 0
      ? html`<p>${t(locale, 'app.plan.noInvoices')}</p>`
      : html`<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>`
  }${nextCursor !== null && html`<p><a class="act plain" href="${path}?${String(new URLSearchParams({ cursor: nextCursor }))}">${t(locale, 'app.settings.accesses.older')}</a></p>`}</section>`;
}

export function formatLimit(name: LimitName, limit: number | null | undefined, locale: Locale): string {
  return typeof limit === 'number' ? formatAmount(name, limit, locale) : t(locale, 'app.plan.unlimited');
}

function formatAmount(name: LimitName, amount: number, locale: Locale): string {
  if (name === 'storageBytes' && amount > 0) return formatSize(amount, locale);
  const format: Intl.NumberFormatOptions =
    name === 'scansKeptDays' ? { style: 'unit', unit: 'day', unitDisplay: 'long' } : {};
  return new Intl.NumberFormat(locale.tag, format).format(amount);
}
