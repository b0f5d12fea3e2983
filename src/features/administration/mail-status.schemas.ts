import { Type } from 'typebox';
import { nullable, schemaRef, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import {
  ConfigurableEventName,
  NOTIFICATION_DELIVERY_STATUSES,
  NotificationPreferences,
} from '../notifications/index.ts';
import { MAIL_PROBLEMS } from './mail-status.rules.ts';
import { SupportUser } from './support.schemas.ts';

const WaitingMail = Type.Object({
  template: Type.String({ description: 'What kind of email it is.' }),
  attempts: Type.Integer({ description: 'Failed attempts so far.' }),
  reason: nullable(Type.String({ description: 'Of the last failed attempt.' })),
  failedJobId: nullable(
    Type.String({ format: 'uuid', description: 'The job that ran out of attempts; null while it goes on.' }),
  ),
  createdAt: Timestamp,
});

const EmailDelivery = Type.Object({
  event: Type.String({ description: 'What the notification was about.' }),
  status: stringEnum(NOTIFICATION_DELIVERY_STATUSES, {
    description: 'DELIVERED: accepted by the mail server.',
  }),
  reason: nullable(Type.String({ description: 'Why it waits, was not sent, or failed.' })),
  attempts: Type.Integer(),
  dueAt: nullable(Timestamp),
  statusChangedAt: Timestamp,
});

export const SupportMailStatus = Type.Object(
  {
    user: schemaRef(SupportUser),
    problems: Type.Array(stringEnum(MAIL_PROBLEMS), {
      description: 'What keeps emails from the user, the first to look at first. Empty: nothing does.',
    }),
    suppressed: Type.Boolean({
      description:
        'Whether somebody with the mailbox stopped all emails that others can cause, such as codes of a registration and invitations.',
    }),
    waiting: Type.Array(WaitingMail, {
      description: 'Emails to the user that are not sent yet, oldest first.',
    }),
    outbox: Type.Object(
      {
        waiting: Type.Integer(),
        waitingSince: nullable(Timestamp),
      },
      { description: 'Emails of all users that are not sent yet, and since when the oldest waits.' },
    ),
    deliveries: Type.Array(EmailDelivery, {
      description: 'The last twenty notifications by email, newest first, without their content.',
    }),
    settings: Type.Object({
      emailOff: Type.Array(ConfigurableEventName, {
        description: 'Events that the user gets no email about; about scans nobody does by default.',
      }),
      quietHours: NotificationPreferences.properties.quietHours,
      digest: NotificationPreferences.properties.digest,
      timeZone: Type.String(),
    }),
    at: Timestamp,
  },
  { $id: 'SupportMailStatus', description: 'Whether emails reach a user, without their texts.' },
);
