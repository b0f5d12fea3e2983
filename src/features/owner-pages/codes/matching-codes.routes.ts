import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { deleteQrCodes, listMatchingQrCodeIds, MAX_BULK_ITEMS, readFolders } from '../../codes/index.ts';
import { renderEmptyState, renderNote } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
import { renderDesignOffer } from '../design/design-offer.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { changeCodes } from './change-codes.ts';
import { CODE_ACCESS, CODE_FORM_ACCESS } from './code-actions.ts';
import {
  CODE_LIST_PARAMS,
  type CodeListFilters,
  parseCodeListFilters,
  toFilterParams,
  toListQuery,
} from './code-list-filters.ts';
import { getCodesPath } from './code-parts.ts';
import { renderStatusForms } from './matching-codes-page.ts';
import { parseSelectedChange, SelectedChangeForm } from './selected-change.rules.ts';
import { renderSelectedChange } from './selected-change-page.ts';
import { formatSelectionResult, type LeftOutReason, type SelectionResult } from './selection-result.ts';

const AUDITS = { pause: 'QRCODE_PAUSED', resume: 'QRCODE_RESUMED', delete: 'QRCODE_DELETED' } as const;

type MatchingAction = keyof typeof AUDITS;

/** Only these are paused, or resumed: a lost code stays lost. */
const STATUSES = { pause: 'ACTIVE', resume: 'PAUSED' } as const;

const MatchingForm = Type.Object({
  ...SelectedChangeForm.properties,
  ...CODE_LIST_PARAMS,
  /** Fingerprint of the codes that the page counted. */
  matching: Type.Optional(Type.String()),
});

type Fields = Static<typeof MatchingForm>;

type PageRequest = FastifyRequest<{ Params: { accountId: string } }>;

interface Refused {
  status: number;
  errors?: ReturnType<typeof parseSelectedChange>['errors'];
  refusal?: string;
}

/** All codes that match the filters of the table: their number first, then what is done with them. */
export const matchingCodePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const params = createIdParamsSchema('accountId');

  app.get(
    '/:accountId/codes/matching',
    {
      config: { access: CODE_FORM_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: { hide: true, params, querystring: Type.Object(CODE_LIST_PARAMS) },
    },
    async (request, reply) => sendMatchingPage(request, reply, request.query),
  );

  app.post(
    '/:accountId/codes/matching/change',
    {
      config: { access: CODE_ACCESS, audit: auditAs('QRCODE_UPDATED'), rateLimitClass: 'upload' },
      schema: { hide: true, params, body: MatchingForm },
    },
    async (request, reply) => {
      const { timeZone } = requireAuthenticatedUser(request);
      const brandColor = services.brand.color;
      const context = { timeZone, now: new Date(), brandColor, designs: new Map() };
      const { change, errors } = parseSelectedChange(request.body, context);
      if (change === null) return sendMatchingPage(request, reply, request.body, { status: 400, errors });
      return run(request, reply, request.body, 'change', (ids) =>
        changeCodes(services, request, reply, { ids, change }),
      );
    },
  );

  for (const action of ['pause', 'resume', 'delete'] as const)
    app.post(
      `/:accountId/codes/matching/${action}`,
      {
        config: { access: CODE_ACCESS, audit: auditAs(AUDITS[action]), rateLimitClass: 'upload' },
        schema: { hide: true, params, body: MatchingForm },
      },
      async (request, reply) =>
        run(request, reply, request.body, action, (ids) =>
          action === 'delete' ? deleteCodes(request, ids) : changeStatus(request, reply, action, ids),
        ),
    );

  /** Do what the page said, unless other codes match by now. */
  async function run(
    request: PageRequest,
    reply: FastifyReply,
    fields: Fields,
    action: MatchingAction | 'change',
    change: (ids: readonly string[]) => Promise<SelectionResult>,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const ids = await listIds(request, parseCodeListFilters(fields));
    if (ids === null || computeFingerprint(ids) !== fields.matching)
      return sendMatchingPage(request, reply, fields, {
        status: 409,
        refusal: t(locale, 'app.codes.matching.changed'),
      });
    try {
      const path = getCodesPath(services, request.params);
      return reply.redirect(formatSelectionResult(path, action, await change(ids)), 303);
    } catch (error) {
      const { status, text } = translateRefusal(error, reply, locale);
      return sendMatchingPage(request, reply, fields, { status, refusal: text });
    }
  }

  async function changeStatus(
    request: PageRequest & { body: Fields },
    reply: FastifyReply,
    action: keyof typeof STATUSES,
    ids: readonly string[],
  ): Promise<SelectionResult> {
    const filters = parseCodeListFilters(request.body);
    const filterIds = async (part: readonly string[]) => {
      const current = new Set(await listIds(request, { ...filters, status: STATUSES[action] }));
      return part.filter((id) => current.has(id));
    };
    const status = action === 'pause' ? 'PAUSED' : 'ACTIVE';
    return changeCodes(services, request, reply, { ids, change: { status }, filterIds });
  }

  async function deleteCodes(request: PageRequest, ids: readonly string[]): Promise<SelectionResult> {
    const context = getRequestContext(request);
    const result = { count: 0, leftOut: [] as LeftOutReason[] };
    for (let start = 0; start < ids.length; start += MAX_BULK_ITEMS) {
      const targets = ids.slice(start, start + MAX_BULK_ITEMS).map((id) => ({ id }));
      const { body } = await deleteQrCodes(services, context, request.params.accountId, targets);
      result.count += body.counts.deleted;
      result.leftOut.push(...body.data.filter(({ error }) => error !== null).map(() => 'gone' as const));
    }
    return result;
  }

  /** Null for more than can be changed at once. */
  async function listIds(request: FastifyRequest, filters: CodeListFilters): Promise<string[] | null> {
    return listMatchingQrCodeIds(services, requireAuthenticatedUser(request), toListQuery(filters));
  }

  async function sendMatchingPage(
    request: PageRequest,
    reply: FastifyReply,
    fields: Fields,
    { status = 200, errors = [], refusal }: Partial<Refused> = {},
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const path = getCodesPath(services, request.params);
    const filters = parseCodeListFilters(fields);
    const list = formatListPath(path, toFilterParams(filters));
    const ids = await listIds(request, filters);
    if (ids === null || ids.length === 0) {
      const text = t(locale, ids === null ? 'app.codes.matching.tooMany' : 'app.codes.none');
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.codes.title'),
        entry: 'codes',
        status,
        body: renderEmptyState(text, html`<p><a href="${list}">${t(locale, 'app.codes.all')}</a></p>`),
      });
    }
    const countIds = async (one: (typeof STATUSES)[keyof typeof STATUSES]) =>
      filters.status === undefined || filters.status === one
        ? ((await listIds(request, { ...filters, status: one }))?.length ?? 0)
        : 0;
    const target = { ...toFilterParams(filters), matching: computeFingerprint(ids) };
    const token = getPermittedFormToken(services, request, reply);
    const counts = { pause: await countIds('ACTIVE'), resume: await countIds('PAUSED'), delete: ids.length };
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.codes.change.title', { count: ids.length }),
      entry: 'codes',
      isNarrow: true,
      status,
      body: html`${refusal && renderNote(refusal, 'wrong')}${renderSelectedChange({
        path: list,
        action: `${path}/matching/change`,
        target,
        fields,
        errors,
        refusal: undefined,
        brandColor: services.brand.color,
        folders: await readFolders(services, request.params.accountId, requireAccount(request).folderIds),
        designed: [],
        offer: await renderDesignOffer(services, request, locale),
        token,
        locale,
      })}${renderStatusForms({ path: `${path}/matching`, target, token, counts }, locale)}`,
    });
  }
};

function computeFingerprint(ids: readonly string[]): string {
  return createHash('sha256').update(ids.toSorted().join()).digest('base64url');
}
