import type { Static } from 'typebox';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import {
  decryptQrCodeData,
  findQrCodeChangeErrors,
  getOwnQrCode,
  getQrCodeKindByName,
  parseFieldVisibilities,
  QrCodeChange,
  type QrCodeRow,
  resolveFieldVisibilities,
  updateOwnQrCode,
} from '../../codes/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { type FormValues, parseFormValues, toFormErrors, toFormValues } from './form-fields.rules.ts';
import { mergeChanges, type Values } from './merge-changes.rules.ts';

/** A code as its form shows it: `title`, `data.<field>` and `visibility.<field>`. */
export interface EditedCode {
  title: string;
  data: Record<string, unknown>;
  visibility: Record<string, string>;
}

export interface SaveResult {
  /** Null once it is saved. */
  rejected: {
    code: EditedCode;
    errors: readonly FieldError[];
    /** Names of values that somebody else changed meanwhile. */
    clashes: readonly string[];
  } | null;
}

const MAX_ATTEMPTS = 3;

const findBodyErrors = createBodyValidator(QrCodeChange);

/** Get a code as its form shows it. @throws DATA_INTEGRITY */
export function getEditedCode(
  { fieldCipher }: Pick<OwnerPageServices, 'fieldCipher'>,
  row: QrCodeRow,
  timeZone: string,
): EditedCode {
  const kind = getQrCodeKindByName(row.kind);
  const stored = decryptQrCodeData(fieldCipher, row);
  return {
    title: row.title,
    // In the order of the form, so that it can be compared.
    data: parseFormValues(kind.schema, toFormValues(kind.schema, stored, timeZone), timeZone),
    visibility: resolveFieldVisibilities(kind, parseFieldVisibilities(row.visibility), row.pinHash !== null),
  };
}

/** Flatten a code into what can be changed independently. */
export function toValues(kindName: string, { title, data, visibility }: EditedCode): Values {
  const fields = Object.keys(getQrCodeKindByName(kindName).schema.properties);
  return Object.fromEntries([
    ['title', title],
    ...fields.map((field) => [`data.${field}`, data[field]] as const),
    ...Object.entries(visibility).map(([field, level]) => [`visibility.${field}`, level] as const),
  ]);
}

/**
 * Save a form with what others changed since it was opened, unless both changed the same.
 * @throws NOT_FOUND, PLAN_LIMIT_REACHED, IMMUTABLE_FIELD, PRECONDITION_FAILED
 */
export async function saveContent(
  services: OwnerPageServices,
  context: RequestContext,
  owned: { accountId: string; id: string },
  form: FormValues,
  timeZone: string,
): Promise<SaveResult> {
  for (let attempt = 1; ; attempt += 1) {
    const row = await getOwnQrCode(services.database.client, owned);
    const theirs = getEditedCode(services, row, timeZone);
    const mine = parseForm(row.kind, form, theirs, timeZone);
    const { merged, clashes } = mergeForm(row, form, mine, theirs);
    const change = toChange(theirs, merged);
    const errors = findErrors(row, change);
    if (clashes.length > 0 || errors.length > 0) return { rejected: { code: merged, errors, clashes } };
    if (Object.keys(change).length === 0) return { rejected: null };
    try {
      await updateOwnQrCode(services, context, row, change, formatVersionEtag(row.version));
      return { rejected: null };
    } catch (error) {
      const isRace = error instanceof ServiceError && error.code === 'PRECONDITION_FAILED';
      if (!isRace || attempt === MAX_ATTEMPTS) throw error;
    }
  }

  function findErrors(row: QrCodeRow, change: Static<typeof QrCodeChange>): FieldError[] {
    const { schema } = getQrCodeKindByName(row.kind);
    const { data: _data, ...others } = change;
    const titleErrors = findBodyErrors(others).map((error) =>
      change.title === '' ? { ...error, code: 'REQUIRED' } : error,
    );
    return toFormErrors(schema, [...titleErrors, ...findQrCodeChangeErrors(services, row, change)]);
  }
}

function parseForm(kindName: string, form: FormValues, stored: EditedCode, timeZone: string): EditedCode {
  const { schema } = getQrCodeKindByName(kindName);
  const visibility = Object.entries(stored.visibility).map(
    ([field, level]) => [field, form[`visibility.${field}`] ?? level] as const,
  );
  return {
    title: form.title?.trim() ?? stored.title,
    data: parseFormValues(schema, form, timeZone, stored.data),
    visibility: Object.fromEntries(visibility),
  };
}

function mergeForm(row: QrCodeRow, form: FormValues, mine: EditedCode, theirs: EditedCode) {
  if (form.version === String(row.version)) return { merged: mine, clashes: [] };
  const { merged, clashes } = mergeChanges(
    form.base ?? '',
    toValues(row.kind, mine),
    toValues(row.kind, theirs),
  );
  const fields = Object.keys(getQrCodeKindByName(row.kind).schema.properties);
  const code: EditedCode = {
    title: String(merged.title),
    data: Object.fromEntries(
      fields
        .map((field) => [field, merged[`data.${field}`]] as const)
        .filter(([, value]) => value !== undefined),
    ),
    visibility: Object.fromEntries(
      Object.keys(theirs.visibility).map((field) => [field, String(merged[`visibility.${field}`])]),
    ),
  };
  return { merged: code, clashes };
}

/** Only what differs: a PIN that is set later changes the visibility of fields that nobody chose. */
function toChange(before: EditedCode, after: EditedCode): Static<typeof QrCodeChange> {
  const visibility = Object.entries(after.visibility).filter(
    ([field, level]) => level !== before.visibility[field],
  );
  return {
    ...(after.title !== before.title && { title: after.title }),
    ...(JSON.stringify(after.data) !== JSON.stringify(before.data) && { data: after.data }),
    ...(visibility.length > 0 && { visibility: Object.fromEntries(visibility) }),
  };
}
