import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { assertHealthDataReadable } from '../../../platform/health-data.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  type ColumnMapping,
  discardImportDraft,
  dryRunImport,
  getImportDraft,
  type ImportKey,
  MAX_CORRECTED_ROWS,
  mapDraftColumns,
  openImportFile,
  parseColumnMapping,
  QR_CODE_KIND_NAMES,
  readDraftTable,
  startImportDraft,
  unescapeFormula,
} from '../../codes/index.ts';
import { renderNote } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { renderCheck } from './check-page.ts';
import { guessColumns, OWN_FIELD, toMetadataName } from './column-targets.rules.ts';
import {
  EmptyBody,
  getImportRefusals,
  getImportsPath,
  IMPORT_FORM_CONFIG,
  ImportParams,
  NEW_IMPORT_ACCESS,
} from './import-parts.ts';
import { renderMappingForm } from './mapping-page.ts';

const EXAMPLES = 3;

const NO_MAPPING: ColumnMapping = { kind: null, columns: [] };

type PageRequest = FastifyRequest<{ Params: { accountId: string; id: string } }>;

const getKey = ({ params }: PageRequest): ImportKey => params;

/** From an uploaded file to its import: columns, check, start. */
export const importDraftPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  // Rows of a file can be content of medical codes.
  app.addHook('preHandler', async (request) => assertHealthDataReadable(getRequestContext(request)));

  const getPath = (request: PageRequest) =>
    `${getImportsPath(services, request.params)}/${request.params.id}`;

  app.get(
    '/:accountId/imports/:id/columns',
    {
      config: IMPORT_FORM_CONFIG,
      schema: {
        hide: true,
        params: ImportParams,
        querystring: Type.Object({ kind: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const draft = await getImportDraft(services, getKey(request));
      const mapping = parseColumnMapping(draft.mapping) ?? NO_MAPPING;
      const { kind: choice } = request.query;
      if (choice === undefined) return sendColumns(request, reply, mapping, {});
      const kind = QR_CODE_KIND_NAMES.find((name) => name === choice) ?? null;
      const { header } = await readDraftTable(services, draft, { maxRows: EXAMPLES });
      const columns = guessColumns(header, kind, chooseOwnerPageLocale(request));
      return sendColumns(request, reply, { kind, columns }, {});
    },
  );

  app.post(
    '/:accountId/imports/:id/mapping',
    {
      config: { access: NEW_IMPORT_ACCESS, audit: skipAudit('USER') },
      schema: { hide: true, params: ImportParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const draft = await getImportDraft(services, getKey(request));
      const { header } = await readDraftTable(services, draft, { maxRows: 0 });
      const kind = QR_CODE_KIND_NAMES.find((name) => name === request.body.kind) ?? null;
      const columns = header.map((label, index) => {
        const name = request.body[`column-${index}`] ?? '';
        if (name === OWN_FIELD) return `metadata.${toMetadataName(label, index)}`;
        return name === '' ? null : name;
      });
      const errors = await mapDraftColumns(services, getKey(request), { kind, columns });
      if (errors.length === 0) return reply.redirect(`${getPath(request)}/check`, 303);
      return sendColumns(request, reply, { kind, columns }, { codes: errors.map(({ code }) => code) });
    },
  );

  app.get(
    '/:accountId/imports/:id/check',
    {
      // It reads the whole file.
      config: { ...IMPORT_FORM_CONFIG, rateLimitClass: 'upload' },
      schema: { hide: true, params: ImportParams },
    },
    async (request, reply) => sendCheck(request, reply, {}),
  );

  app.post(
    '/:accountId/imports/:id/start',
    {
      config: { access: NEW_IMPORT_ACCESS, audit: auditAs('IMPORT_REQUESTED'), rateLimitClass: 'upload' },
      schema: { hide: true, params: ImportParams, body: EmptyBody },
    },
    async (request, reply) => {
      try {
        await startImportDraft(services, getRequestContext(request), getKey(request));
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        const { status, text } = translateRefusal(error, reply, locale, getImportRefusals(locale));
        return sendCheck(request, reply, { status, refusal: text });
      }
      return reply.redirect(getPath(request), 303);
    },
  );

  app.post(
    '/:accountId/imports/:id/discard',
    {
      config: { access: NEW_IMPORT_ACCESS, audit: skipAudit('USER') },
      schema: { hide: true, params: ImportParams, body: EmptyBody },
    },
    async (request, reply) => {
      await discardImportDraft(services, getKey(request));
      return reply.redirect(getImportsPath(services, request.params), 303);
    },
  );

  async function sendColumns(
    request: PageRequest,
    reply: FastifyReply,
    mapping: ColumnMapping,
    { codes = [] }: { codes?: readonly string[] },
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const draft = await getImportDraft(services, getKey(request));
    const table = await readDraftTable(services, draft, { maxRows: EXAMPLES });
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.imports.columns.title'),
      entry: 'codes',
      status: codes.length > 0 ? 400 : 200,
      body: renderMappingForm({
        path: getPath(request),
        token: getPermittedFormToken(services, request, reply),
        table,
        mapping,
        codes,
        locale,
      }),
    });
  }

  async function sendCheck(
    request: PageRequest,
    reply: FastifyReply,
    { status = 200, refusal }: { status?: number; refusal?: string },
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const draft = await getImportDraft(services, getKey(request));
    const check = await dryRunImport(services, request.params.accountId, openImportFile(services, draft));
    const numbers = new Set([...new Set(check.errors.map(({ row }) => row))].slice(0, MAX_CORRECTED_ROWS));
    const { header, rows } = await readDraftTable(services, draft, { maxRows: MAX_CORRECTED_ROWS, numbers });
    const wrongRows = rows.map(({ number, cells }) => {
      const errors = check.errors.filter(({ row }) => row === number);
      return { number, label: number, cells: cells.map(unescapeFormula), errors };
    });
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.imports.check.title'),
      entry: 'codes',
      status,
      body: renderCheck({
        path: getPath(request),
        token: getPermittedFormToken(services, request, reply),
        note: refusal ? renderNote(refusal, 'wrong') : null,
        mapping: parseColumnMapping(draft.mapping) ?? NO_MAPPING,
        check,
        header,
        wrongRows,
        locale,
      }),
    });
  }
};
