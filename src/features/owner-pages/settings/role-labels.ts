import type { AccountRole } from '../../../shared/account-roles.ts';
import type { MessageKey } from '../../../shared/i18n/translate.ts';

export const ROLE_LABELS = {
  OWNER: 'app.roles.owner',
  MANAGER: 'app.roles.manager',
  EDITOR: 'app.roles.editor',
  RESPONDER: 'app.roles.responder',
  VIEWER: 'app.roles.viewer',
  BILLING: 'app.roles.billing',
} as const satisfies Record<AccountRole, MessageKey>;
