import type { Static } from 'typebox';
import { toAccountFields } from '../../shared/common.schemas.ts';
import { toAdminQrCodeView, toAdminUserView } from './administration.views.ts';
import type { AdminQrCodeRow } from './all-qrcodes.repository.ts';
import type { UserAdministrationRow } from './all-users.repository.ts';
import type { SupportQrCode, SupportUser } from './support.schemas.ts';

export function toSupportUserView(row: UserAdministrationRow): Static<typeof SupportUser> {
  const {
    id,
    email,
    firstName,
    lastName,
    organizationName,
    language,
    status,
    qrCodes,
    lastLoginAt,
    createdAt,
  } = toAdminUserView(row);
  return {
    id,
    email,
    firstName,
    lastName,
    organizationName,
    language,
    status,
    qrCodes,
    lastLoginAt,
    createdAt,
  };
}

export function toSupportQrCodeView(row: AdminQrCodeRow): Static<typeof SupportQrCode> {
  const {
    id,
    accountId,
    ownerEmail,
    kind,
    mode,
    title,
    status,
    expiresAt,
    deletedAt,
    takenDownAt,
    createdAt,
  } = toAdminQrCodeView(row);
  return {
    id,
    ...toAccountFields(accountId),
    ownerEmail,
    kind,
    mode,
    title,
    status,
    expiresAt,
    deletedAt,
    takenDownAt,
    createdAt,
  };
}
