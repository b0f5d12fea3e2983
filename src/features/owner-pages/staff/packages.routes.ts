import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { PackageUpdateRequest, updatePackage } from '../../administration/index.ts';
import { chooseLocalizedName, findPackageErrors, listPackages } from '../../billing/index.ts';
import { renderErrorSummary, renderNote } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import {
  type PackageFormValues,
  parsePackageForm,
  toFormErrors,
  toPackageFormValues,
} from './package-form.rules.ts';
import { renderPackageForm, renderPackageList } from './package-pages.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';

const PACKAGE_ACCESS = allowByCookie(allowUsers('admin:packages'));

const READ_AUDIT = auditAs('ADMIN_PACKAGES_READ');

const PackageParams = createIdParamsSchema('id');

const FormBody = Type.Record(Type.String(), Type.String());

const findSchemaErrors = createBodyValidator(PackageUpdateRequest);

const DONE_MESSAGE = 'app.staff.packages.done' satisfies MessageKey;

interface Refusal {
  status: number;
  values: PackageFormValues;
  errors?: readonly FieldError[];
  text?: string;
}

/** Packages with their prices and limits. A change makes a new version. */
export const packageStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/staff/packages',
    {
      config: { access: PACKAGE_ACCESS, audit: READ_AUDIT, rateLimitClass: 'page' },
      schema: { hide: true, querystring: Type.Object({ done: Type.Optional(Type.String()) }) },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      await commitAuditEntry(database, getRequestContext(request));
      const packages = await listPackages(database.client);
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.plan.packages'),
        entry: 'packages',
        body: html`${request.query.done === 'saved' && renderNote(t(locale, DONE_MESSAGE))}
${renderPackageList(packages, { path: getStaffEntryPath(services, 'packages'), locale })}`,
      });
    },
  );

  app.get(
    '/staff/packages/:id',
    {
      config: { access: PACKAGE_ACCESS, audit: READ_AUDIT, rateLimitClass: 'page' },
      schema: { hide: true, params: PackageParams },
    },
    async (request, reply) => {
      await commitAuditEntry(database, getRequestContext(request), { resourceId: request.params.id });
      return sendForm(request, reply);
    },
  );

  app.post(
    '/staff/packages/:id',
    {
      config: { access: PACKAGE_ACCESS, audit: auditAs('PACKAGE_CHANGED') },
      schema: { hide: true, params: PackageParams, body: FormBody },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const { body: values, params } = request;
      const { code } = await getPackage(params.id);
      const { content, rows, errors } = parsePackageForm(values);
      if (errors.length === 0)
        errors.push(
          ...toFormErrors([...findSchemaErrors({ ...content }), ...findPackageErrors(code, content)], rows),
        );
      if (errors.length > 0) return sendForm(request, reply, { status: 400, values, errors });
      const version = Number(values.version);
      const ifMatch = Number.isInteger(version) ? formatVersionEtag(version) : undefined;
      try {
        await updatePackage(services, getRequestContext(request), params.id, { content, ifMatch });
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          PRECONDITION_FAILED: t(locale, 'app.staff.packages.conflict'),
        });
        // What is saved next replaces what somebody else saved, now that they were told.
        const current = await getPackage(params.id);
        return sendForm(request, reply, {
          status,
          values: { ...values, version: String(current.version) },
          text,
        });
      }
      return reply.redirect(`${getStaffEntryPath(services, 'packages')}?done=saved`, 303);
    },
  );

  /** @throws NOT_FOUND */
  async function getPackage(id: string) {
    const found = (await listPackages(database.client)).find((one) => one.id === id);
    if (!found) throw new ServiceError('NOT_FOUND');
    return found;
  }

  async function sendForm(
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
    refusal?: Refusal,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { id } = request.params;
    const stored = await getPackage(id);
    const errors = refusal?.errors ?? [];
    const path = getStaffEntryPath(services, 'packages');
    return sendStaffPage(services, request, reply, {
      title: chooseLocalizedName(stored.names, [locale.tag], stored.code),
      entry: 'packages',
      status: refusal?.status ?? 200,
      body: html`${refusal?.text === undefined ? renderErrorSummary(errors, locale) : renderNote(refusal.text, 'wrong')}
${renderPackageForm({
  action: `${path}/${id}`,
  token: getFormToken(services, request, reply),
  values: refusal?.values ?? { ...toPackageFormValues(stored), version: String(stored.version) },
  isFree: stored.code === 'FREE',
  errors,
  locale,
})}
<p><a href="${path}">${t(locale, 'app.plan.packages')}</a></p>`,
    });
  }
};
