import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { allowByCookie, allowUsersWithProfile, auditAs } from '../../../platform/route-access.ts';
import { EDITING_ROLES } from '../../../shared/account-roles.ts';
import { createValidationError } from '../../../shared/errors.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId, isId } from '../../../shared/ids.ts';
import { listOrganizations, type OrganizationRow } from '../../identity/index.ts';
import {
  countMovableCodes,
  listCodeMoves,
  MOVE_CODES_QUEUE,
  requestCodeMove,
} from '../../transfers/index.ts';
import { parseSelectedIds } from '../codes/code-selection.ts';
import { getFormContext } from '../form-context.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderMoveCodes } from './move-codes-page.ts';
import {
  AccountParams,
  describeRefusal,
  type FormRefusal,
  getSettingsPath,
  redirectWithDone,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

const LISTED_MOVES = 5;

const MoveFields = Type.Object({
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  ids: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
});

interface SentFields {
  from?: string;
  to?: string;
  ids?: string;
}

/** Codes that go to another account of the user: `from` is the personal one unless the address names another. */
export const moveCodesPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const getPath = (request: FastifyRequest) => `${getSettingsPath(services, request)}/move-codes`;

  app.get(
    '/move-codes',
    {
      config: SETTINGS_PAGE_CONFIG,
      schema: {
        hide: true,
        params: AccountParams,
        querystring: Type.Object({ ...MoveFields.properties, done: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => sendMovePage(request, reply, request.query, {}),
  );

  app.post(
    '/move-codes',
    {
      config: {
        access: allowByCookie(allowUsersWithProfile('account:manage')),
        audit: auditAs('CODE_MOVE_REQUESTED'),
      },
      schema: { hide: true, params: AccountParams, body: MoveFields },
    },
    async (request, reply) => {
      const { from, to = '', ids, key } = request.body;
      const user = requireAuthenticatedUser(request);
      const selected = parseSelectedIds(ids);
      try {
        if (!isId(to))
          throw createValidationError({ field: 'to', code: 'REQUIRED', message: 'Is required.' });
        await requestCodeMove(services, getFormContext(request, key), user, {
          ...(isId(from) && { fromAccountId: from }),
          toAccountId: to,
          ...(selected.length > 0 && { ids: selected }),
        });
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        const refused = describeRefusal(
          error,
          reply,
          locale,
          {},
          {
            VALIDATION_FAILED: t(locale, 'app.moves.none'),
            NOT_FOUND: t(locale, 'app.moves.ownersOnly'),
            FORBIDDEN: t(locale, 'app.moves.ownersOnly'),
            ORGANIZATION_CLOSED: t(locale, 'app.moves.closed'),
            TOO_MANY_CODE_MOVES: t(locale, 'app.moves.tooMany'),
            IDEMPOTENCY_KEY_REUSED: t(locale, 'app.developers.again'),
          },
        );
        return sendMovePage(request, reply, request.body, refused);
      }
      services.jobs.wake(MOVE_CODES_QUEUE);
      return redirectWithDone(reply, getPath(request), 'codes-moving');
    },
  );

  async function sendMovePage(
    request: FastifyRequest,
    reply: FastifyReply,
    { from, to, ids: sentIds }: SentFields,
    refused: FormRefusal,
  ): Promise<FastifyReply> {
    const user = requireAuthenticatedUser(request);
    const locale = chooseOwnerPageLocale(request);
    const organizations = await listOrganizations(database.client, user.id);
    const source = organizations.find(({ id, role }) => id === from && role === 'OWNER');
    const accountId = source?.id ?? user.id;
    // Those of another account would say nothing here.
    const ids = from === undefined || from === accountId ? parseSelectedIds(sentIds) : [];
    const targets = [
      ...(source ? [{ id: user.id, name: null }] : []),
      ...organizations.filter(({ id }) => id !== accountId).filter(isOpenTarget),
    ];
    const { rows: moves } = await listCodeMoves(database.client, user.id, { skip: 0, take: LISTED_MOVES });
    const names = new Map(organizations.map(({ id, name }) => [id, name]));
    return sendSettingsPage(services, request, reply, {
      tab: 'organizations',
      title: t(locale, 'app.moves.title'),
      hasTabs: true,
      isNarrow: true,
      refused,
      body: renderMoveCodes({
        from: { id: accountId, name: source?.name ?? null },
        targets,
        to,
        ids,
        count: ids.length > 0 ? ids.length : await countMovableCodes(database.client, accountId),
        moves,
        getName: (id) =>
          id === user.id ? t(locale, 'app.moves.personal') : (names.get(id) ?? t(locale, 'app.moves.former')),
        organizationsPath: `${getSettingsPath(services, request)}/organizations`,
        action: getPath(request),
        token: getFormToken(services, request, reply),
        formKey: generateId(),
        user,
        locale,
      }),
    });
  }
};

function isOpenTarget({ role, status, deleteAfter, isLimited, mustEnroll }: OrganizationRow): boolean {
  return (
    EDITING_ROLES.includes(role) && status === 'ACTIVE' && deleteAfter === null && !isLimited && !mustEnroll
  );
}
