import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { findActiveBreakGlassGrant } from '../../../platform/break-glass.repository.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getQrCodeKindByName, readQrCodeByBreakGlass, toQrCodeView } from '../../codes/index.ts';
import {
  renderProfileFieldValue,
  renderScanPositions,
  translateFieldName,
  translateQrCodeKind,
} from '../../finder/index.ts';
import { findScan, readScanByBreakGlass } from '../../scans/index.ts';
import { renderNote } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderEndButton, renderTimeLeft } from './break-glass-page.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';

const BREAK_GLASS_ACCESS = allowByCookie(allowUsers('admin:break-glass'));

const RecordParams = createIdParamsSchema('id');

/** A record that is open to an administrator in an emergency. Each reading is audited. */
export const breakGlassRecordStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/staff/break-glass/codes/:id',
    {
      config: {
        access: BREAK_GLASS_ACCESS,
        audit: auditAs('BREAK_GLASS_QRCODE_READ'),
        rateLimitClass: 'page',
      },
      schema: { hide: true, params: RecordParams },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const code = await readQrCodeByBreakGlass(
        database,
        getRequestContext(request),
        request.params.id,
        async (row, tx) => toQrCodeView(services, row, await services.isReadOnly(tx, 'qrCodes', row)),
      );
      if (!code) throw new ServiceError('NOT_FOUND');
      const { kind, title, data, createdAt } = code;
      const { schema } = getQrCodeKindByName(kind);
      const fields = Object.entries(data).map(
        ([name, value]) =>
          html`<dt>${translateFieldName({ kind, locale }, name)}</dt><dd>${renderProfileFieldValue(value, schema.properties?.[name] ?? {}, { kind, locale })}</dd>`,
      );
      const reader = requireAuthenticatedUser(request);
      return sendRecord(
        request,
        reply,
        {
          type: 'QRCODE',
          title,
          body: html`<p>${translateQrCodeKind(locale, kind)} · ${renderMoment(new Date(createdAt), reader, locale)}</p>
<dl>${fields}</dl>`,
        },
        locale,
      );
    },
  );

  app.get(
    '/staff/break-glass/scans/:id',
    {
      config: {
        access: BREAK_GLASS_ACCESS,
        audit: auditAs('BREAK_GLASS_SCAN_READ'),
        rateLimitClass: 'page',
      },
      schema: { hide: true, params: RecordParams },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const row = await findScan(database.client, request.params.id);
      const scan = row && (await readScanByBreakGlass(services, getRequestContext(request), row));
      if (!scan) throw new ServiceError('NOT_FOUND');
      const reader = requireAuthenticatedUser(request);
      return sendRecord(
        request,
        reply,
        {
          type: 'SCAN',
          title: t(locale, 'app.staff.breakGlass.scan'),
          body: html`<h2>${renderMoment(new Date(scan.scannedAt), reader, locale)}</h2>
${renderScanPositions(scan, null, request, reader.timeZone, locale)}`,
        },
        locale,
      );
    },
  );

  async function sendRecord(
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
    { type, title, body }: { type: 'QRCODE' | 'SCAN'; title: string; body: Html },
    locale: Locale,
  ): Promise<FastifyReply> {
    const list = getStaffEntryPath(services, 'break-glass');
    const reader = requireAuthenticatedUser(request);
    const grant = await findActiveBreakGlassGrant(database.client, reader.id, type, request.params.id);
    const now = new Date();
    return sendStaffPage(services, request, reply, {
      title,
      tabTitle: t(locale, 'app.staff.breakGlass.title'),
      entry: 'break-glass',
      body: html`${renderNote(html`${grant && html`${renderTimeLeft(grant.expiresAt, { now, reader, locale, leavesTo: list })}<br>`}${t(locale, 'app.staff.breakGlass.audited')}`)}
${body}
${grant && renderEndButton(services, { id: grant.id, token: getFormToken(services, request, reply) }, locale)}<p><a href="${list}">${t(locale, 'app.staff.breakGlass.title')}</a></p>`,
    });
  }
};
