import { type Static, Type } from 'typebox';
import { addRuleErrors } from '../../../platform/http/request-rules.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { nullable } from '../../../shared/common.schemas.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import { FolderName } from '../folders/folders.schemas.ts';
import { NewQrCode, QrCode, QrCodeChange } from '../qrcodes.schemas.ts';
import { findNewQrCodeErrors } from '../read-qrcode-body.ts';
import type { OwnAddresses } from '../scan-url.rules.ts';
import { BulkQrCodeChange } from './bulk.schemas.ts';
import type { CheckedBulkChange } from './patch-qrcodes.ts';
import type { BulkItemBody } from './put-qrcodes.ts';

const findItemErrors = createBodyValidator(NewQrCode, Type.Omit(QrCode, ['status']));

const findImportedItemErrors = createBodyValidator(
  Type.Object({
    ...Type.Omit(NewQrCode, ['folderId']).properties,
    status: QrCodeChange.properties.status,
    folder: Type.Optional(nullable(FolderName)),
  }),
  QrCode,
);

const findChangeErrors = createBodyValidator(BulkQrCodeChange, QrCode);

/** @throws VALIDATION_FAILED */
export function parseBulkItem(addresses: OwnAddresses, item: unknown): BulkItemBody {
  return parseItem(addresses, item, findItemErrors);
}

/** Parse a row of an import, which can set the status; an error of its file is thrown. @throws VALIDATION_FAILED */
export function parseImportedItem(addresses: OwnAddresses, item: unknown): BulkItemBody {
  if (item instanceof ServiceError) throw item;
  return parseItem(addresses, item, findImportedItemErrors);
}

/** @throws VALIDATION_FAILED if it is not an object */
export function checkBulkChange(item: unknown): CheckedBulkChange {
  assertObject(item);
  const schemaErrors = findChangeErrors(item);
  return { change: item as Static<typeof BulkQrCodeChange>, schemaErrors };
}

function parseItem(
  addresses: OwnAddresses,
  item: unknown,
  findErrors: typeof findItemErrors,
): Static<typeof NewQrCode> {
  assertObject(item);
  const errors = findErrors(item);
  if (errors.length > 0)
    throw createValidationError(
      ...addRuleErrors(item, errors, (body) => findNewQrCodeErrors(addresses, body)),
    );
  return item as Static<typeof NewQrCode>;
}

function assertObject(item: unknown): asserts item is object {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return;
  throw createValidationError({ field: 'body', code: 'WRONG_TYPE', message: 'Must be of type object.' });
}
