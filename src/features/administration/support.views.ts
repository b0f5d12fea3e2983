import type { Static } from 'typebox';
import { adminQrCodeView, adminUserView } from './administration.views.ts';
import type { ListedQrCode } from './all-qrcodes.repository.ts';
import type { PersonRow } from './all-users.repository.ts';
import type { SupportQrCode, SupportUser } from './support.schemas.ts';

/** A person in the list of support: less than an administrator sees. */
export function supportUserView(row: PersonRow): Static<typeof SupportUser> {
  const {
    enterpriseMode: _mode,
    role: _role,
    accountType: _type,
    updatedAt: _changed,
    ...seen
  } = adminUserView(row);
  return seen;
}

/** A code in the list of support: less than an administrator sees. */
export function supportQrCodeView(row: ListedQrCode): Static<typeof SupportQrCode> {
  const { id, ownerId, ownerEmail, kind, mode, title, status, expiresAt, deletedAt, createdAt } =
    adminQrCodeView(row);
  return { id, ownerId, ownerEmail, kind, mode, title, status, expiresAt, deletedAt, createdAt };
}
