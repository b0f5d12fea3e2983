import { Type } from 'typebox';
import {
  allowByCookie,
  allowUsers,
  allowUsersWithProfile,
  allowWriters,
  skipAudit,
} from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { ServiceErrorCode } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { type ImportRowError, QR_CODE_KIND_NAMES } from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import { type FieldOption, translateFieldError } from '../components.ts';
import { MAIN_KIND_TILES, OTHER_KIND_TILES } from '../content/kind-tiles.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';

/** As the operations of the API. */
export const IMPORT_ACCESS = allowByCookie(allowUsers('qrcodes:own'));
export const NEW_IMPORT_ACCESS = allowByCookie(allowUsersWithProfile('qrcodes:own'));

export const IMPORT_PAGE_CONFIG = {
  access: IMPORT_ACCESS,
  audit: skipAudit('USER'),
  rateLimitClass: 'page',
} as const;

/** Of the steps up to the start. */
export const IMPORT_FORM_CONFIG = { ...IMPORT_PAGE_CONFIG, access: allowWriters(IMPORT_ACCESS) } as const;

export const ImportParams = createIdParamsSchema('accountId', 'id');

export const EmptyBody = Type.Object({});

export function getImportsPath(services: OwnerPageServices, { accountId }: { accountId: string }): string {
  return `${getAccountPath(services, accountId)}/imports`;
}

/** The kinds of codes, those that most people make first. */
export function listKindOptions(locale: Locale): FieldOption[] {
  const tiles = [...MAIN_KIND_TILES, ...OTHER_KIND_TILES];
  const others = QR_CODE_KIND_NAMES.filter((name) => !tiles.some(({ kind }) => kind === name));
  return [...tiles, ...others.map((kind) => ({ kind, label: undefined }))].map(({ kind, label }) => ({
    value: kind,
    label: label === undefined ? translateQrCodeKind(locale, kind) : t(locale, label),
  }));
}

const ROW_ERRORS = {
  PLAN_LIMIT_REACHED: 'app.newCode.limit',
  NOT_UNIQUE: 'app.imports.error.notUnique',
  TOO_MANY_ERRORS: 'app.imports.error.tooManyErrors',
} as const satisfies Record<string, MessageKey>;

/** The texts of the API are English. */
export function translateRowError(error: Pick<ImportRowError, 'code'>, locale: Locale): string {
  const { code } = error;
  return isKeyOf(ROW_ERRORS, code)
    ? t(locale, ROW_ERRORS[code])
    : translateFieldError({ field: '', code, message: '' }, locale);
}

/** Why an import is refused, for `translateRefusal`. */
export function getImportRefusals(locale: Locale): Partial<Record<ServiceErrorCode, string>> {
  return {
    TOO_MANY_IMPORTS: t(locale, 'app.imports.tooManyOpen'),
    PLAN_LIMIT_REACHED: t(locale, 'app.newCode.limit'),
    FILE_TYPE_UNSUPPORTED: t(locale, 'app.imports.unreadable'),
    PAYLOAD_TOO_LARGE: t(locale, 'app.imports.tooLarge'),
  };
}

/** Render what is wrong with rows; `label` names the column of an error. */
export function renderErrorTable(
  errors: readonly ImportRowError[],
  label: (field: string) => string,
  locale: Locale,
): Html {
  return html`<div class="table" tabindex="0"><table><thead><tr><th scope="col">${t(locale, 'app.imports.row')}</th><th scope="col">${t(locale, 'app.imports.column')}</th><th scope="col">${t(locale, 'app.imports.problem')}</th></tr></thead><tbody>${errors.map(
    (error) =>
      html`<tr><td>${error.row}</td><td><bdi>${error.field === null ? '' : label(error.field)}</bdi></td><td>${translateRowError(error, locale)}</td></tr>\n`,
  )}</tbody></table></div>`;
}
