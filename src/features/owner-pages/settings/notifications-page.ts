import type { CurrentUser } from '../../../platform/authentication.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  type ConfigurableEvent,
  DIGEST_FREQUENCIES,
  type listPushDevices,
  NOTIFICATION_CHANNELS,
  type toNotificationPreferencesView,
} from '../../notifications/index.ts';
import { type FormErrors, renderEmptyState, renderField, renderForm } from '../components.ts';
import { renderMoment } from '../format-moment.ts';

type Channel = (typeof NOTIFICATION_CHANNELS)[number];

interface NotificationsPage {
  locale: Locale;
  /** Of the tab. */
  path: string;
  token: string;
  user: CurrentUser;
  errors: FormErrors;
  stored: ReturnType<typeof toNotificationPreferencesView>;
  /** What was sent and refused. */
  values: Partial<Record<string, string>> | undefined;
  devices: Awaited<ReturnType<typeof listPushDevices>>['rows'];
  vapidPublicKey: string;
  /** Registers this browser; null where it is registered. */
  webPushOffer: Html | null;
}

/** What is always sent by every channel is not listed. */
const GROUPS = [
  {
    title: 'app.settings.notifications.codes',
    events: {
      'message.created': 'mails.unsubscribe.kinds.message.created',
      'conversation.assigned': 'mails.unsubscribe.kinds.conversation.assigned',
      'scan.located': 'mails.unsubscribe.kinds.scan.located',
      'code.scanned_while_lost': 'mails.unsubscribe.kinds.code.scanned_while_lost',
      'scan.created': 'mails.unsubscribe.kinds.scan.created',
      'code.pin_rejected': 'mails.unsubscribe.kinds.code.pin_rejected',
      'code.expiring': 'mails.unsubscribe.kinds.code.expiring',
      'code.expired': 'mails.unsubscribe.kinds.code.expired',
    },
  },
  {
    title: 'app.settings.notifications.documents',
    events: {
      'document.opened': 'app.settings.notifications.document.opened',
      'document.granted': 'app.settings.notifications.document.granted',
      'document.passcode_rejected': 'app.settings.notifications.document.passcode_rejected',
      'document.expiring': 'mails.unsubscribe.kinds.document.expiring',
      'document.expired': 'mails.unsubscribe.kinds.document.expired',
      'document.infected': 'app.settings.notifications.document.infected',
    },
  },
  {
    title: 'app.settings.notifications.memorials',
    events: {
      'guest_book.signed': 'mails.unsubscribe.kinds.guest_book.signed',
      'memory_tag.birth_anniversary': 'mails.unsubscribe.kinds.memory_tag.birth_anniversary',
      'memory_tag.death_anniversary': 'mails.unsubscribe.kinds.memory_tag.death_anniversary',
      'caretaker.added': 'app.settings.notifications.caretaker.added',
    },
  },
  {
    title: 'app.settings.notifications.security',
    events: {
      'login.created': 'app.settings.notifications.login.created',
      'password.changed': 'app.settings.notifications.password.changed',
      'second_factor.enabled': 'app.settings.notifications.second_factor.enabled',
      'second_factor.disabled': 'app.settings.notifications.second_factor.disabled',
      'role.changed': 'app.settings.notifications.role.changed',
      'webhook_endpoint.disabled': 'app.settings.notifications.webhook_endpoint.disabled',
    },
  },
  {
    title: 'app.settings.notifications.payments',
    events: {
      'subscription.started': 'app.settings.notifications.subscription.started',
      'subscription.changed': 'app.settings.notifications.subscription.changed',
      'subscription.trial_ending': 'app.settings.notifications.subscription.trial_ending',
      'subscription.ending': 'app.settings.notifications.subscription.ending',
      'subscription.ended': 'app.settings.notifications.subscription.ended',
      'subscription.paused': 'app.settings.notifications.subscription.paused',
      'subscription.resumed': 'app.settings.notifications.subscription.resumed',
      'payment.received': 'app.settings.notifications.payment.received',
      'payment.failed': 'app.settings.notifications.payment.failed',
      'payment.action_required': 'app.settings.notifications.payment.action_required',
      'payment.refunded': 'app.settings.notifications.payment.refunded',
      'payment.disputed': 'app.settings.notifications.payment.disputed',
    },
  },
] as const satisfies readonly {
  title: MessageKey;
  events: Partial<Record<ConfigurableEvent, MessageKey>>;
}[];

export const SHOWN_EVENTS: readonly string[] = GROUPS.flatMap(({ events }) => Object.keys(events));

const DIGESTS = {
  AUTOMATIC: 'app.settings.notifications.digest.automatic',
  HOURLY: 'app.settings.notifications.digest.hourly',
  DAILY: 'app.settings.notifications.digest.daily',
  NEVER: 'app.settings.notifications.digest.never',
} as const satisfies Record<(typeof DIGEST_FREQUENCIES)[number], MessageKey>;

export function getChannelFieldName(event: string, channel: Channel): string {
  return `${channel}.${event}`;
}

export function renderNotifications(page: NotificationsPage): Html {
  const { locale, path, token, values, stored } = page;
  return html`${renderForm({
    action: path,
    token,
    hidden: { version: values?.version ?? String(stored.version) },
    submit: t(locale, 'app.settings.profile.button'),
    fields: [renderMatrix(page), renderTimes(page)],
  })}${renderThisDevice(page)}${renderDevices(page)}`;
}

function renderMatrix(page: NotificationsPage): Html {
  const { locale } = page;
  const head = html`<th scope="col">${t(locale, 'app.settings.notifications.email')}</th><th scope="col">${t(locale, 'app.settings.notifications.push')}</th>`;
  const groups = GROUPS.map(({ title, events }) => {
    const rows = Object.entries(events).map(
      ([event, label]) =>
        html`<tr><th scope="row">${t(locale, label)}</th>${NOTIFICATION_CHANNELS.map((channel) => renderCell(page, event, channel, t(locale, label)))}</tr>`,
    );
    return html`<tbody><tr><th scope="rowgroup" colspan="3">${t(locale, title)}</th></tr>${rows}</tbody>`;
  });
  return html`<p>${t(locale, 'app.settings.notifications.text')}</p>
<div class="table" tabindex="0"><table class="matrix"><thead><tr><th scope="col">${t(locale, 'app.settings.notifications.about')}</th>${head}</tr></thead>${groups}</table></div>`;
}

/** What cannot be changed is always sent. */
function renderCell(
  { locale, stored, values }: NotificationsPage,
  event: string,
  channel: Channel,
  label: string,
): Html {
  if (!stored.changeable[event]?.[channel])
    return html`<td>${t(locale, 'app.settings.notifications.always')}</td>`;
  const name = getChannelFieldName(event, channel);
  const isOn = values ? values[name] === 'on' : stored.preferences[event]?.[channel];
  const channelName = t(
    locale,
    channel === 'EMAIL' ? 'app.settings.notifications.email' : 'app.settings.notifications.push',
  );
  return html`<td><label class="choice"><input type="checkbox" name="${name}" value="on"${isOn && html` checked`}><span class="visually-hidden">${label}: ${channelName}</span></label></td>`;
}

function renderTimes({ locale, user, errors, stored, values }: NotificationsPage): Html {
  const { from, to } = values ?? stored.quietHours ?? {};
  const time = (name: 'from' | 'to', label: string, value: string | undefined) =>
    renderField({ name, label, type: 'time', value }, errors, locale);
  const options = DIGEST_FREQUENCIES.map((digest) => ({ value: digest, label: t(locale, DIGESTS[digest]) }));
  return html`<div class="narrow"><fieldset class="group"><legend>${t(locale, 'app.settings.notifications.quietHours')}</legend>
<p class="small">${translateHtml(locale, 'app.settings.notifications.quietHoursText', { zone: html`<bdi>${user.timeZone}</bdi>` })}</p>
${time('from', t(locale, 'app.settings.notifications.from'), from)}${time('to', t(locale, 'app.settings.notifications.to'), to)}</fieldset>
${renderField(
  {
    name: 'digest',
    label: t(locale, 'app.settings.notifications.digest'),
    options,
    value: values?.digest ?? stored.digest,
  },
  errors,
  locale,
)}</div>`;
}

function renderThisDevice({ locale, webPushOffer }: NotificationsPage): Html {
  return html`<section id="this-device"><h2>${t(locale, 'app.webPush.title')}</h2>${webPushOffer ?? html`<p>${t(locale, 'app.webPush.on')}</p>`}</section>`;
}

function renderDevices({ locale, path, token, user, devices, vapidPublicKey }: NotificationsPage): Html {
  const items = devices.map(({ id, name, platform, sessionId, lastUsedAt, ...device }) => {
    const isOutdated = device.vapidPublicKey !== null && device.vapidPublicKey !== vapidPublicKey;
    const last = translateHtml(locale, 'app.settings.sessions.lastUsed', {
      date: renderMoment(lastUsedAt, user, locale),
    });
    return html`<li><div><h3><bdi>${name ?? PLATFORM_NAMES[platform] ?? platform}</bdi></h3><p class="small">${last}</p>${
      sessionId === user.sessionId && html`<p class="chip">${t(locale, 'app.settings.sessions.current')}</p>`
    }${isOutdated && html`<p class="small">${t(locale, 'app.settings.devices.outdated')}</p>`}<div class="actions">${
      !isOutdated &&
      renderForm({
        action: `${path}/devices/${id}/test`,
        token,
        submit: t(locale, 'app.settings.devices.test'),
        kind: 'plain',
      })
    }${renderForm({ action: `${path}/devices/${id}/remove`, token, submit: t(locale, 'app.settings.devices.remove'), kind: 'plain' })}</div></div></li>`;
  });
  return html`<section><h2>${t(locale, 'app.settings.devices')}</h2>${
    items.length === 0
      ? renderEmptyState(t(locale, 'app.settings.devices.none'))
      : html`<ul class="cards">${items}</ul>`
  }</section>`;
}

const PLATFORM_NAMES: Partial<Record<string, string>> = { IOS: 'iOS', ANDROID: 'Android', WEB: 'Web' };
