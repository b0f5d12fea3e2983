import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import {
  CONFIGURABLE_EVENTS,
  DIGEST_FREQUENCIES,
  findNotificationSettingErrors,
  getNotificationSettings,
  isBrowserRegistered,
  listPushDevices,
  NOTIFICATION_CHANNELS,
  NotificationPreferencesChange,
  registerWebPushSubscription,
  removePushDevice,
  sendTestPush,
  toNotificationPreferencesView,
  updateNotificationSettings,
} from '../../notifications/index.ts';
import { getCodePath } from '../codes/code-parts.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { parseSubscriptionForm, SubscriptionForm } from '../web-push/subscription-form.ts';
import { renderWebPushOffer } from '../web-push/web-push-offer.ts';
import { getChannelFieldName, renderNotifications, SHOWN_EVENTS } from './notifications-page.ts';
import {
  ACCOUNT_ACCESS,
  AccountParams,
  describeRefusal,
  type FormRefusal,
  getSettingsPath,
  redirectWithDone,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

const PREFERENCES_ACCESS = allowByCookie(allowUsers('notifications:own'));

const CHANNEL_FIELDS = CONFIGURABLE_EVENTS.flatMap((event) =>
  NOTIFICATION_CHANNELS.map((channel) => getChannelFieldName(event, channel)),
);

const PreferencesForm = Type.Object({
  ...Object.fromEntries(CHANNEL_FIELDS.map((name) => [name, Type.Optional(Type.String())])),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  digest: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
});

type PreferencesValues = Partial<Record<string, string>>;

const findSchemaErrors = createBodyValidator(NotificationPreferencesChange);

/** What an account is notified of, by which channel and when, and the devices that get pushes. */
export const notificationsPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;
  const getPath = (request: FastifyRequest) => `${getSettingsPath(services, request)}/notifications`;

  app.get(
    '/notifications',
    {
      config: { ...SETTINGS_PAGE_CONFIG, access: PREFERENCES_ACCESS },
      schema: { hide: true, params: AccountParams },
    },
    async (request, reply) => sendNotificationsPage(request, reply),
  );

  app.post(
    '/notifications',
    {
      config: { access: PREFERENCES_ACCESS, audit: auditAs('NOTIFICATION_PREFERENCES_CHANGED') },
      schema: { hide: true, params: AccountParams, body: PreferencesForm },
    },
    async (request, reply) => {
      const values: PreferencesValues = request.body;
      const { id, timeZone } = requireAuthenticatedUser(request);
      const stored = toNotificationPreferencesView(
        await getNotificationSettings(database.client, id),
        timeZone,
      );
      const input = toPreferencesInput(values, stored.changeable);
      const errors = findErrors(values, input);
      if (errors.length > 0) return sendNotificationsPage(request, reply, { errors }, values);
      const etag = formatVersionEtag(Number(values.version ?? 0));
      try {
        await updateNotificationSettings(database, getRequestContext(request), id, input, etag);
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        const texts = { PRECONDITION_FAILED: t(locale, 'app.settings.notifications.conflict') };
        const refused = describeRefusal(error, reply, locale, {}, texts);
        return sendNotificationsPage(request, reply, refused, { ...values, version: String(stored.version) });
      }
      return redirectWithDone(reply, getPath(request), 'notifications');
    },
  );

  app.post(
    '/notifications/devices/:deviceId/remove',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('PUSH_DEVICE_REMOVED') },
      schema: { hide: true, params: createIdParamsSchema('accountId', 'deviceId'), body: Type.Object({}) },
    },
    async (request, reply) => {
      const { id } = requireAuthenticatedUser(request);
      await removePushDevice(database, getRequestContext(request), id, request.params.deviceId);
      return redirectWithDone(reply, getPath(request), 'device-removed');
    },
  );

  app.post(
    '/notifications/devices/:deviceId/test',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('PUSH_TEST_SENT') },
      schema: { hide: true, params: createIdParamsSchema('accountId', 'deviceId'), body: Type.Object({}) },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { deviceId } = request.params;
      const { status, isGone } = await sendTestPush(services, getRequestContext(request), user, deviceId);
      const failure = isGone ? 'device-gone' : 'device-test-failed';
      return redirectWithDone(reply, getPath(request), status === 'SENT' ? 'device-tested' : failure);
    },
  );

  app.post(
    '/notifications/web-push',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('PUSH_DEVICE_REGISTERED') },
      schema: { hide: true, params: AccountParams, body: SubscriptionForm },
    },
    async (request, reply) => {
      const input = parseSubscriptionForm(services.webPush, request.body);
      if (!input) {
        const refusal = t(chooseOwnerPageLocale(request), 'app.webPush.failed');
        return sendNotificationsPage(request, reply, { status: 400, refusal });
      }
      const user = requireAuthenticatedUser(request);
      await registerWebPushSubscription(services, getRequestContext(request), user, input);
      const { codeAccountId, codeId } = request.body;
      if (!isId(codeAccountId) || !isId(codeId)) return redirectWithDone(reply, getPath(request), 'web-push');
      const codePath = getCodePath(services, { accountId: codeAccountId, id: codeId });
      return reply.redirect(`${codePath}?done=web-push`, 303);
    },
  );

  async function sendNotificationsPage(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: FormRefusal = {},
    values?: PreferencesValues,
  ): Promise<FastifyReply> {
    const user = requireAuthenticatedUser(request);
    const locale = chooseOwnerPageLocale(request);
    const [settings, devices, isRegistered] = await Promise.all([
      getNotificationSettings(database.client, user.id),
      listPushDevices(database.client, user.id, { skip: 0, take: 100 }),
      isBrowserRegistered(services, user),
    ]);
    const offer = { text: t(locale, 'app.webPush.text'), button: t(locale, 'app.webPush.button') };
    const stored = toNotificationPreferencesView(settings, user.timeZone);
    return sendSettingsPage(services, request, reply, {
      tab: 'notifications',
      refused,
      body: renderNotifications({
        locale,
        path: getPath(request),
        token: getFormToken(services, request, reply),
        user,
        errors: refused.errors ?? [],
        stored,
        values,
        devices: devices.rows,
        vapidPublicKey: services.webPush.publicKey,
        webPushOffer: isRegistered ? null : renderWebPushOffer(services, request, reply, offer),
      }),
    });
  }
};

type Changeable = ReturnType<typeof toNotificationPreferencesView>['changeable'];

/** A checkbox that is not sent is off; channels that cannot be changed keep their value. */
function toPreferencesInput(values: PreferencesValues, changeable: Changeable) {
  const { from = '', to = '' } = values;
  const digest = DIGEST_FREQUENCIES.find((frequency) => frequency === values.digest);
  const preferences = Object.fromEntries(
    SHOWN_EVENTS.map((event) => [
      event,
      Object.fromEntries(
        NOTIFICATION_CHANNELS.filter((channel) => changeable[event]?.[channel]).map((channel) => [
          channel,
          values[getChannelFieldName(event, channel)] === 'on',
        ]),
      ),
    ]),
  );
  return {
    preferences,
    quietHours: from === '' && to === '' ? null : { from, to },
    ...(digest && { digest }),
  };
}

function findErrors(
  { from, to }: PreferencesValues,
  input: ReturnType<typeof toPreferencesInput>,
): FieldError[] {
  if (Boolean(from) !== Boolean(to)) return [{ field: from ? 'to' : 'from', code: 'REQUIRED', message: '' }];
  return [...findSchemaErrors(structuredClone(input)), ...findNotificationSettingErrors(input)].map(
    (error) => ({
      ...error,
      field: error.field.replace('quietHours.', ''),
    }),
  );
}
