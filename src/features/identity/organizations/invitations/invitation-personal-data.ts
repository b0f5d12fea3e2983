import {
  defineExportedList,
  defineTableDeletedOnErasure,
  type PersonalDataExportContext,
} from '../../../../platform/personal-data.ts';
import { createRowDeletionStep } from '../../../../platform/personal-rows.repository.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import { findUser } from '../../accounts/user.repository.ts';
import {
  deleteInvitationsOfEmail,
  lockInvitationsOfUser,
  stopInvitationsOfUser,
} from './invitation.repository.ts';
import { toReceivedInvitationView } from './invitation.view.ts';
import { hashInvitedEmail } from './invitation-secrets.ts';
import { ReceivedInvitationSchema } from './invitations.schemas.ts';
import { listOwnInvitations } from './received-invitations.ts';

/** What an erasure does with invitations, to a user and of an organization. */
export const INVITATIONS_PRIVACY = defineTableDeletedOnErasure(
  { in: 'invitations' },
  {
    how: 'Immediately, by the invited address; every row of an organization. Invitations that the user sent count no longer.',
    async eraseWithAccount(tx, { userId, email, fieldCipher }) {
      const emailHash = hashInvitedEmail(fieldCipher, email);
      await lockInvitationsOfUser(tx, userId, emailHash);
      await deleteInvitationsOfEmail(tx, emailHash);
      await stopInvitationsOfUser(tx, userId);
    },
    erase: createRowDeletionStep('invitations', 'account_id'),
  },
);

/** What an export has of them. */
export const EXPORTED_INVITATIONS = defineExportedList({
  item: ReceivedInvitationSchema,
  description: 'Invitations to organizations that the user can accept.',
  async *read({ db, userId, fieldCipher }: PersonalDataExportContext) {
    const user = await findUser(db, userId);
    if (!user) throw new ServiceError('NOT_FOUND');
    const rows = await listOwnInvitations({ fieldCipher }, db, user.email);
    yield rows.map(toReceivedInvitationView);
  },
});
