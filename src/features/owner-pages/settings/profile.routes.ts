import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsersWithProfile, auditAs } from '../../../platform/route-access.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  findProfileErrors,
  findUser,
  PROFILE_PICTURE_FORM,
  toUserView,
  UserProfileRequest,
  updateProfile,
} from '../../identity/index.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { PROFILE_FIELDS, type ProfileField, renderProfile } from './profile-page.ts';
import {
  AccountParams,
  describeRefusal,
  type FormRefusal,
  getSettingsPath,
  redirectWithDone,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

const PROFILE_ACCESS = allowByCookie(allowUsersWithProfile('account:use'));

const ProfileForm = Type.Object({
  ...Object.fromEntries(PROFILE_FIELDS.map((name) => [name, Type.Optional(Type.String())])),
  version: Type.Optional(Type.String()),
});

type ProfileValues = Partial<Record<ProfileField | 'version', string>>;

const findSchemaErrors = createBodyValidator(UserProfileRequest);

/** The profile of an account: name, phone, language, time zone and picture. */
export const profilePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '',
    {
      config: { ...SETTINGS_PAGE_CONFIG, access: PROFILE_ACCESS },
      schema: { hide: true, params: AccountParams },
    },
    async (request, reply) => sendProfilePage(request, reply),
  );

  app.post(
    '/profile',
    {
      config: {
        access: PROFILE_ACCESS,
        audit: auditAs('PROFILE_UPDATED'),
        rateLimitClass: 'upload',
        form: PROFILE_PICTURE_FORM,
      },
      schema: { hide: true, params: AccountParams, body: ProfileForm },
    },
    async (request, reply) => {
      const values: ProfileValues = request.body;
      const { id } = requireAuthenticatedUser(request);
      const input = toProfileInput(values, chooseOwnerPageLocale(request).tag);
      const missing = await findProfileErrors(services, id, input);
      const errors = [...missing, ...withoutFieldsOf(missing, findSchemaErrors({ ...input }))].map(nameError);
      if (errors.length > 0) return sendProfilePage(request, reply, { values, refused: { errors } });
      const upload = { picture: request.formFiles.profilePicture, disconnect: request.disconnect };
      const etag = formatVersionEtag(Number(values.version ?? 0));
      try {
        await updateProfile(services, getRequestContext(request), id, input, upload, etag);
      } catch (error) {
        return sendProfilePage(request, reply, describeProfileRefusal(error, request, reply, values));
      }
      return redirectWithDone(reply, getSettingsPath(services, request), 'profile');
    },
  );

  function describeProfileRefusal(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    values: ProfileValues,
  ): RefusedProfile {
    const { code, errors } = error instanceof ServiceError ? error : {};
    if (code === 'VALIDATION_FAILED' && errors) return { values, refused: { errors } };
    const isConflict = code === 'PRECONDITION_FAILED' || code === 'CONFLICT';
    const locale = chooseOwnerPageLocale(request);
    const text = t(locale, 'app.settings.profile.conflict');
    const texts = { PRECONDITION_FAILED: text, CONFLICT: text };
    return { values, isConflict, refused: describeRefusal(error, reply, locale, {}, texts) };
  }

  /** After a conflict the form has what was sent, and beside it what is stored now. */
  async function sendProfilePage(
    request: FastifyRequest,
    reply: FastifyReply,
    { values, isConflict = false, refused = {} }: RefusedProfile = {},
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const row = await findUser(database.client, requireAuthenticatedUser(request).id);
    if (!row) throw new ServiceError('UNAUTHENTICATED');
    const user = toUserView(services, row);
    const stored = { ...user, language: locale.tag };
    return sendSettingsPage(services, request, reply, {
      tab: 'profile',
      refused,
      body: renderProfile({
        locale,
        action: `${getSettingsPath(services, request)}/profile`,
        token: getFormToken(services, request, reply),
        email: user.email,
        pictureUrl: user.profilePictureUrl,
        stored,
        values: values ?? stored,
        version: isConflict || values?.version === undefined ? String(user.version) : values.version,
        isConflict,
        errors: refused.errors ?? [],
      }),
    });
  }
};

interface RefusedProfile {
  values?: ProfileValues;
  isConflict?: boolean;
  refused?: FormRefusal;
}

/** An empty field clears what can be null, and is missing otherwise. */
function toProfileInput(values: ProfileValues, currentLanguage: string): Static<typeof UserProfileRequest> {
  const text = (name: ProfileField) => values[name]?.trim();
  const { accountType, language } = values;
  return {
    ...(values.firstName !== undefined && { firstName: text('firstName') ?? '' }),
    ...(values.lastName !== undefined && { lastName: text('lastName') ?? '' }),
    ...(values.organizationName !== undefined && { organizationName: text('organizationName') || null }),
    ...(values.phone !== undefined && { phone: text('phone') || null }),
    ...((accountType === 'INDIVIDUAL' || accountType === 'ORGANIZATION') && { accountType }),
    // The account may have a regional form of it, such as pt-BR.
    ...(language !== undefined && language !== currentLanguage && { language }),
    ...(values.timeZone && { timeZone: values.timeZone }),
  };
}

/** A phone number has one text, whatever is wrong with it. */
function nameError(error: FieldError): FieldError {
  return error.field === 'phone' ? { ...error, code: 'BAD_PHONE' } : error;
}

function withoutFieldsOf(known: readonly FieldError[], errors: readonly FieldError[]): FieldError[] {
  return errors.filter(({ field }) => !known.some((one) => one.field === field));
}
