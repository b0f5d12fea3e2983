import { type Static, Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../../../shared/common.schemas.ts';
import { INVITATION_STATUSES, INVITED_ROLES } from './invitation.rules.ts';

/** Of one organization, also those that have expired: they can be sent again. */
export const MAX_PENDING_INVITATIONS = 100;

export const NewInvitation = Type.Object({
  email: Type.String({
    minLength: 3,
    maxLength: 254,
    format: 'email',
    description: 'The response is the same whether or not the address has an account.',
  }),
  role: stringEnum(INVITED_ROLES),
});

export type NewInvitationInput = Static<typeof NewInvitation>;

export const InvitationSchema = Type.Object(
  {
    id: Id,
    accountId: Id,
    email: Type.String(),
    role: stringEnum(INVITED_ROLES),
    status: stringEnum(INVITATION_STATUSES),
    invitedBy: nullable(Type.String({ description: 'The user who sent the newest email.' })),
    sends: Type.Integer(),
    lastSentAt: Timestamp,
    expiresAt: Timestamp,
    endedAt: nullable(Type.String({ format: 'date-time' })),
    createdAt: Timestamp,
  },
  {
    $id: 'Invitation',
    description:
      'To an organization. STOPPED: who sent it may no longer invite to this role; send it again. EXPIRED: so, too.',
  },
);

export const ReceivedInvitationSchema = Type.Object(
  {
    id: Id,
    organization: Type.Object({ id: Id, name: Type.String() }),
    role: stringEnum(INVITED_ROLES),
    invitedBy: nullable(Type.String({ description: 'The name of who sent it.' })),
    expiresAt: Timestamp,
    createdAt: Timestamp,
  },
  { $id: 'ReceivedInvitation', description: 'To your address. `role` is what you become.' },
);

export const InvitationAnswer = Type.Object({
  token: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'From the link of the email.' }),
  ),
  invitationId: Type.Optional(
    Type.String({ ...Id, description: 'Of one that GET /api/invitations lists, in place of the token.' }),
  ),
});

export type InvitationAnswerInput = Static<typeof InvitationAnswer>;
